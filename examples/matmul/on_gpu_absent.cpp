// matmul/gpu in a lab that was built without CUDA: it can be named, and says why it doesn't run.
#include "matmul.hpp"

#if !BELLMARK_LAB_HAS_CUDA
BELLMARK_ABSENT("matmul/gpu", bellmark::Need::cuda, "this lab was built without CUDA");
#endif
