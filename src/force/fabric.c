/* SPDX-License-Identifier: MIT */
/* The fields of a fabric with their ranges, and the library of named fabrics.
 *
 * Sources of the library
 *   Penava:    Z. Penava, D. Šimić-Penava, Ž. Knezić, "Determination of the elastic constants of plain woven fabrics by
 *              a tensile test in various directions", Fibres & Textiles in Eastern Europe 22(2), 2014.
 *   Clyde:     D. Clyde, J. Teran, R. Tamstorf, "Modeling and data-driven parameter estimation for woven fabrics",
 *              Symposium on Computer Animation 2017.
 *   Codim-IPC: the program of M. Li, D. Kaufman, C. Jiang 2021, which tabulates both, and whose stretch limits we take.
 *   Kawabata:  S. Kawabata, "The standardization and analysis of hand evaluation", 1980: the KES-F instruments that
 *              bending rigidity and shear stiffness of fabrics are usually measured with. We give values typical of a
 *              class of fabric in its units; they are chosen by us, not taken from one measured piece.
 *
 * Kawabata's units
 *   Bending rigidity is moment per width over curvature: (gf·cm/cm) / (1/cm) = gf·cm, customarily written gf·cm²/cm.
 *   1 gf = 9.80665e-3 N (standard gravity times a gram) and 1 cm = 1e-2 m, so 1 gf·cm²/cm = 9.80665e-5 N·m.
 *   Shear stiffness is force per width over angle: 1 gf/(cm·degree) = 9.80665e-3 N / (1e-2 m · π/180) = 56.19 N/m.
 *
 * Clyde's model: energy per volume ½ a11 E11² + a12 E11 E22 + ½ a22 E22² + g E12² in Green's strain E, at small strain,
 * with h the thickness. A pull along one axis, free along the other, has E11 = s and E22 = −(a12/a22) s, so
 *     stretch_warp = h (a11 − a12²/a22),  stretch_weft = h (a22 − a12²/a11),  poisson = a12 / √(a11 a22).
 * Our shear angle is 2 E12, so ½ G (2 E12)² = g h E12² gives shear = g h / 2. The limits are strains E11, E22 at which
 * the model gets infinitely stiff; a strain E is the stretch √(1 + 2E), and we take the smaller of the two. Two
 * cautions: the source does not say which axis is the warp (we take the first), and a12 is half of a11 or a22 in all
 * five fabrics, so it looks like a bound of the fit rather than a measurement. */
#include <math.h>
#include <string.h>

#include <weft/fabric.h>

#include "base/error.h"

typedef enum range_kind {
    RANGE_CLOSED,     /* [min, max] */
    RANGE_OPEN_BELOW, /* (min, max] */
    RANGE_OR_ZERO     /* 0 or [min, max] */
} range_kind;

typedef struct field {
    const char *name, *unit;
    double min, max, standard;
    size_t offset;
    range_kind kind;
} field;

/* Relaxation times, s, of the default and of all fabrics of the library: chosen by us, not measured. */
#define FABRIC_DAMPING_STRETCH 0.002
#define FABRIC_DAMPING_BENDING 0.005

/* The one place of ranges and defaults; fabric.h repeats them for the reader. */
static const field fields[] = {
    {"density", "kg/m²", 0, 100, 0.15, offsetof(weft_fabric, density), RANGE_OPEN_BELOW},
    {"stretch_warp", "N/m", 1e-3, 1e7, 500, offsetof(weft_fabric, stretch_warp), RANGE_CLOSED},
    {"stretch_weft", "N/m", 1e-3, 1e7, 500, offsetof(weft_fabric, stretch_weft), RANGE_CLOSED},
    {"shear", "N/m", 0, 1e7, 60, offsetof(weft_fabric, shear), RANGE_CLOSED},
    {"poisson", "", 0, 0.95, 0, offsetof(weft_fabric, poisson), RANGE_CLOSED},
    {"bending_warp", "N·m", 0, 1e3, 5e-6, offsetof(weft_fabric, bending_warp), RANGE_CLOSED},
    {"bending_weft", "N·m", 0, 1e3, 5e-6, offsetof(weft_fabric, bending_weft), RANGE_CLOSED},
    {"damping_stretch", "s", 0, 10, FABRIC_DAMPING_STRETCH, offsetof(weft_fabric, damping_stretch), RANGE_CLOSED},
    {"damping_bending", "s", 0, 10, FABRIC_DAMPING_BENDING, offsetof(weft_fabric, damping_bending), RANGE_CLOSED},
    {"thickness", "m", 0, 0.1, 3e-4, offsetof(weft_fabric, thickness), RANGE_CLOSED},
    {"friction", "", 0, 10, 0.4, offsetof(weft_fabric, friction), RANGE_CLOSED},
    {"dissipation", "", 0, 1, 0, offsetof(weft_fabric, dissipation), RANGE_CLOSED},
    {"stretch_limit", "", 1.001, 10, 1.10, offsetof(weft_fabric, stretch_limit), RANGE_OR_ZERO},
};

enum { N_FIELDS = sizeof fields / sizeof *fields };

_Static_assert(sizeof(weft_fabric) == offsetof(weft_fabric, density) + N_FIELDS * sizeof(double),
               "every field of weft_fabric must be in the table");

static bool field_allows(const field *f, double value)
{
    if (f->kind == RANGE_OR_ZERO && value == 0.0)
        return true;
    return value <= f->max && (f->kind == RANGE_OPEN_BELOW ? value > f->min : value >= f->min);
}

static weft_result refuse_field(const field *f, double value, weft_error *error)
{
    return error_set(error, isfinite(value) ? WEFT_ERROR_RANGE : WEFT_ERROR_NOT_FINITE, -1,
                     "fabric: %s is %g%s%s, but must be %s%g, %g]", f->name, value, *f->unit ? " " : "", f->unit,
                     f->kind == RANGE_OPEN_BELOW ? "in ("
                     : f->kind == RANGE_OR_ZERO  ? "0 or in ["
                                                 : "in [",
                     f->min, f->max);
}

weft_fabric weft_fabric_default(void)
{
    weft_fabric fabric = {.struct_size = sizeof fabric};
    for (int i = 0; i < N_FIELDS; i++)
        memcpy((char *)&fabric + fields[i].offset, &fields[i].standard, sizeof(double));
    return fabric;
}

weft_result weft_fabric_check(const weft_fabric *fabric, weft_error *error)
{
    if (!fabric)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "fabric: NULL");
    if (fabric->struct_size != sizeof *fabric)
        return error_set(error, WEFT_ERROR_STRUCT_SIZE, -1, "fabric: struct_size is %lu, but must be %lu",
                         (unsigned long)fabric->struct_size, (unsigned long)sizeof *fabric);
    for (int i = 0; i < N_FIELDS; i++) {
        double value;
        memcpy(&value, (const char *)fabric + fields[i].offset, sizeof value);
        if (!field_allows(&fields[i], value)) /* NaN is in no range */
            return refuse_field(&fields[i], value, error);
    }
    return WEFT_OK;
}

/* ------------------------------------------------------------------------------------------------ the library */

#define KES_BENDING 9.80665e-5                                         /* N·m in 1 gf·cm²/cm */
#define KES_SHEAR (9.80665e-3 / (1e-2 * 3.14159265358979323846 / 180)) /* N/m in 1 gf/(cm·degree) */
#define FABRIC_BENDING(warp, weft) .bending_warp = (warp)*KES_BENDING, .bending_weft = (weft)*KES_BENDING
#define FABRIC_PENAVA(modulus, h) .stretch_warp = (modulus) * (h), .stretch_weft = (modulus) * (h), .thickness = (h)
#define FABRIC_CLYDE(h, a11, a12, a22, g)                                                                              \
    .stretch_warp = (h) * ((a11) - (a12) * (a12) / (a22)), .stretch_weft = (h) * ((a22) - (a12) * (a12) / (a11)),      \
    .shear = 0.5 * (g) * (h), .thickness = (h)
/* A sheet that is the same in all directions: G = E / (2 (1 + ν)). */
#define FABRIC_ISOTROPIC(e, nu)                                                                                        \
    .stretch_warp = (e), .stretch_weft = (e), .shear = (e) / (2 * (1 + (nu))), .poisson = (nu)
#define FABRIC_COMMON                                                                                                  \
    .struct_size = sizeof(weft_fabric), .damping_stretch = FABRIC_DAMPING_STRETCH,                                     \
    .damping_bending = FABRIC_DAMPING_BENDING, .dissipation = 0

#define SOURCE_PENAVA                                                                                                  \
    "density, stretch, poisson, thickness: measured, Penava et al. 2014, and stretch_limit, as tabulated in "          \
    "Codim-IPC; "
#define SOURCE_CLYDE                                                                                                   \
    "stretch, shear, poisson, thickness, stretch_limit: fitted to measurements by Clyde et al. 2017, as tabulated in " \
    "Codim-IPC, at small strain, first axis taken as warp; density: the same, its unit read as g/m²; "
#define SOURCE_CHOSEN "damping, friction, dissipation: chosen by us"
#define SOURCE_ALL_CHOSEN "typical of its class, chosen by us: "

typedef struct named_fabric {
    const char *name, *source;
    weft_fabric fabric;
} named_fabric;

static const named_fabric library[] = {
    {"cotton",
     SOURCE_PENAVA "shear 1.0 gf/(cm·degree), bending 0.05 gf·cm²/cm: typical Kawabata values of plain cotton, chosen "
                   "by us; " SOURCE_CHOSEN,
     {FABRIC_COMMON, .density = 0.1503, FABRIC_PENAVA(821e3, 3.18e-4), .shear = 1.0 * KES_SHEAR, .poisson = 0.243,
      FABRIC_BENDING(0.05, 0.05), .friction = 0.4, .stretch_limit = 1.0608}},
    {"wool",
     SOURCE_PENAVA "shear 0.6 gf/(cm·degree), bending 0.1 gf·cm²/cm: typical Kawabata values of wool suiting, chosen "
                   "by us; " SOURCE_CHOSEN,
     {FABRIC_COMMON, .density = 0.2348, FABRIC_PENAVA(170e3, 5.68e-4), .shear = 0.6 * KES_SHEAR, .poisson = 0.277,
      FABRIC_BENDING(0.1, 0.1), .friction = 0.5, .stretch_limit = 1.085}},
    {"wool_lycra",
     SOURCE_PENAVA "shear 0.4 gf/(cm·degree), bending 0.06 gf·cm²/cm: typical Kawabata values of light suiting, chosen "
                   "by us; " SOURCE_CHOSEN,
     {FABRIC_COMMON, .density = 0.1782, FABRIC_PENAVA(76e3, 3.28e-4), .shear = 0.4 * KES_SHEAR, .poisson = 0.071,
      FABRIC_BENDING(0.06, 0.06), .friction = 0.5, .stretch_limit = 1.134}},
    {"polyester",
     SOURCE_PENAVA
     "shear 0.5 gf/(cm·degree), bending 0.04 gf·cm²/cm: typical Kawabata values of dress polyester, chosen "
     "by us; " SOURCE_CHOSEN,
     {FABRIC_COMMON, .density = 0.1646, FABRIC_PENAVA(478e3, 2.52e-4), .shear = 0.5 * KES_SHEAR, .poisson = 0.381,
      FABRIC_BENDING(0.04, 0.04), .friction = 0.3, .stretch_limit = 1.0646}},
    {"fine_cotton",
     SOURCE_CLYDE "bending 0.04 gf·cm²/cm: typical Kawabata value of light cotton, chosen by us; " SOURCE_CHOSEN,
     {FABRIC_COMMON, .density = 0.1036, FABRIC_CLYDE(1.8e-4, 15.557e6, 7.779e6, 25.004e6, 1.076e6), .poisson = 0.394,
      FABRIC_BENDING(0.04, 0.04), .friction = 0.4, .stretch_limit = 1.131}},
    {"heavy_wool",
     SOURCE_CLYDE "bending 0.6 gf·cm²/cm: typical Kawabata value of coating, chosen by us; " SOURCE_CHOSEN,
     {FABRIC_COMMON, .density = 0.4806, FABRIC_CLYDE(1.28e-3, 2.290e6, 1.145e6, 2.219e6, 0.371e6), .poisson = 0.508,
      FABRIC_BENDING(0.6, 0.6), .friction = 0.5, .stretch_limit = 1.414}},
    {"canvas",
     SOURCE_CLYDE "bending 0.6 gf·cm²/cm: typical of its class, chosen by us; " SOURCE_CHOSEN,
     {FABRIC_COMMON, .density = 0.294, FABRIC_CLYDE(5.3e-4, 5.366e6, 2.683e6, 19.804e6, 2.009e6), .poisson = 0.260,
      FABRIC_BENDING(0.6, 0.6), .friction = 0.5, .stretch_limit = 1.065}},
    {"silk",
     SOURCE_CLYDE "bending 0.03 gf·cm²/cm: typical Kawabata value of silk, chosen by us; " SOURCE_CHOSEN,
     {FABRIC_COMMON, .density = 0.083, FABRIC_CLYDE(1.8e-4, 4.300e6, 4.971e6, 9.942e6, 0.570e6), .poisson = 0.760,
      FABRIC_BENDING(0.03, 0.03), .friction = 0.25, .stretch_limit = 1.296}},
    {"denim",
     SOURCE_CLYDE "bending 0.4 and 0.25 gf·cm²/cm: typical of its class, chosen by us; " SOURCE_CHOSEN,
     {FABRIC_COMMON, .density = 0.400, FABRIC_CLYDE(6.6e-4, 4.793e6, 4.515e6, 9.029e6, 2.448e6), .poisson = 0.686,
      FABRIC_BENDING(0.4, 0.25), .friction = 0.5, .stretch_limit = 1.249}},
    {"linen",
     SOURCE_ALL_CHOSEN "plain weave of flax, 170 g/m²: stiffer against stretch and bending than cotton, easy to shear, "
                       "hardly extensible",
     {FABRIC_COMMON, .density = 0.170, .stretch_warp = 1200, .stretch_weft = 1000, .shear = 0.8 * KES_SHEAR,
      .poisson = 0.2, FABRIC_BENDING(0.15, 0.12), .thickness = 3.5e-4, .friction = 0.4, .stretch_limit = 1.05}},
    {"jersey",
     SOURCE_ALL_CHOSEN "single cotton jersey of T-shirt weight, 160 g/m²; warp is along the wales, weft along the "
                       "courses, which stretch more",
     {FABRIC_COMMON, .density = 0.160, .stretch_warp = 100, .stretch_weft = 50, .shear = 0.6 * KES_SHEAR,
      .poisson = 0.4, FABRIC_BENDING(0.02, 0.015), .thickness = 6e-4, .friction = 0.45, .stretch_limit = 1.6}},
    {"rib",
     SOURCE_ALL_CHOSEN
     "cotton rib of cuffs and waistbands, 240 g/m²; warp is along the wales, weft along the courses, which "
     "take twice their length",
     {FABRIC_COMMON, .density = 0.240, .stretch_warp = 150, .stretch_weft = 60, .shear = 0.5 * KES_SHEAR,
      .poisson = 0.3, FABRIC_BENDING(0.04, 0.02), .thickness = 9e-4, .friction = 0.5, .stretch_limit = 2}},
    {"felt",
     SOURCE_ALL_CHOSEN "pressed wool of 1.5 mm, 350 g/m²; not woven, so the same in all directions; bends half as "
                       "stiffly as a solid plate of that stretch and thickness",
     {FABRIC_COMMON, .density = 0.350, FABRIC_ISOTROPIC(2000, 0.3), .bending_warp = 2e-4, .bending_weft = 2e-4,
      .thickness = 1.5e-3, .friction = 0.6, .stretch_limit = 1.2}},
    {"leather",
     SOURCE_ALL_CHOSEN "garment leather of 0.8 mm, 600 g/m², Young's modulus 10 MPa; not woven, so the same in all "
                       "directions; bends a little softer than a solid plate",
     {FABRIC_COMMON, .density = 0.600, FABRIC_ISOTROPIC(8000, 0.4), .bending_warp = 4e-4, .bending_weft = 4e-4,
      .thickness = 8e-4, .friction = 0.6, .stretch_limit = 1.3}},
    {"paper",
     "density, stretch, poisson, thickness, stretch_limit: chosen by the authors of Codim-IPC (3 GPa, 0.3 mm, "
     "800 kg/m³), not measured; shear: isotropic; bending: that of a solid plate, E h³ / (12 (1 − ν²)); " SOURCE_CHOSEN,
     {FABRIC_COMMON, .density = 0.240, FABRIC_ISOTROPIC(3e9 * 3e-4, 0.3), .bending_warp = 7.418e-3,
      .bending_weft = 7.418e-3, .thickness = 3e-4, .friction = 0.3, .stretch_limit = 1.005}},
};

enum { N_FABRICS = sizeof library / sizeof *library };

int32_t weft_fabric_count(void)
{
    return N_FABRICS;
}

const char *weft_fabric_name(int32_t index)
{
    return index >= 0 && index < N_FABRICS ? library[index].name : NULL;
}

const char *weft_fabric_source(int32_t index)
{
    return index >= 0 && index < N_FABRICS ? library[index].source : NULL;
}

weft_result weft_fabric_find(const char *name, weft_fabric *out, weft_error *error)
{
    if (!name || !out)
        return error_set(error, WEFT_ERROR_ARGUMENT, -1, "fabric: %s is NULL", name ? "out" : "name");
    for (int i = 0; i < N_FABRICS; i++)
        if (strcmp(library[i].name, name) == 0) {
            *out = library[i].fabric;
            return WEFT_OK;
        }
    return error_set(error, WEFT_ERROR_NOT_FOUND, -1, "fabric: there is none named \"%s\"", name);
}
