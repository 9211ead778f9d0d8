# nothing
%
