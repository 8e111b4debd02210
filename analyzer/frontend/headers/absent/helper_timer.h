/* Part of helper_functions.h here. */
#include "helper_functions.h"
