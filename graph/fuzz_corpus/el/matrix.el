%%MatrixMarket matrix coordinate pattern general
2 2 1
1 1
