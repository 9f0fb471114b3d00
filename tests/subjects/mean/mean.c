// mean(values): the sum by the number of values. Refuses an empty list.
#include "genmorph.h"

GENMORPH_EXPORT("mean: func(values: list<f64>) -> f64")
double mean(const double *values, uint32_t length) {
    if (length == 0) {
        __builtin_trap();
    }
    double sum = 0;
    for (uint32_t i = 0; i < length; i++) {
        sum += values[i];
    }
    return sum / length;
}
