/* Transforms over several devices and with callbacks. */
#ifndef WARPWISE_CUFFTXT_H
#define WARPWISE_CUFFTXT_H

#include "cufft.h"

typedef cufftComplex (*cufftCallbackLoadC)(void *In, size_t At, void *Info,
                                           void *Shared);
typedef void (*cufftCallbackStoreC)(void *Out, size_t At, cufftComplex Value,
                                    void *Info, void *Shared);
typedef cufftReal (*cufftCallbackLoadR)(void *In, size_t At, void *Info,
                                        void *Shared);
typedef void (*cufftCallbackStoreR)(void *Out, size_t At, cufftReal Value,
                                    void *Info, void *Shared);

#endif
