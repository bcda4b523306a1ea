/* SPDX-License-Identifier: MIT */
/* Random numbers of the attack: splitmix64 (Steele, Lea, Flood 2014), the same on every machine. */
#include <math.h>

#include "attack/recipe.h"

uint64_t attack_dice_bits(attack_dice *d)
{
    uint64_t z = d->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

attack_dice attack_dice_of(uint64_t seed)
{
    /* States that differ by a multiple of the increment would give the same numbers, shifted. */
    attack_dice d = {seed};
    return (attack_dice){attack_dice_bits(&d)};
}

double attack_dice_in(attack_dice *d, double low, double high)
{
    return low + (high - low) * ((double)(attack_dice_bits(d) >> 11) * 0x1p-53);
}

double attack_dice_ratio(attack_dice *d, double low, double high)
{
    return low * exp(attack_dice_in(d, 0, log(high / low)));
}

int attack_dice_int(attack_dice *d, int low, int high)
{
    return low + (int)(attack_dice_bits(d) % (uint64_t)(high - low + 1));
}

bool attack_dice_chance(attack_dice *d, double p)
{
    return attack_dice_in(d, 0, 1) < p;
}
