# a comment
0 1
1 2
3 0
