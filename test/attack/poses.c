/* SPDX-License-Identifier: MIT */
/* Where the attack's colliders are, and how far from the analytic ones a point is: reckoned anew, to judge by. */
#include <math.h>
#include <string.h>

#include "attack/scene.h"

/* How far along its way something is that goes to and fro: a triangle wave. */
static double along(const double v[3], double way, double time)
{
    double gone = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) * time;
    if (way <= 0)
        return 0;
    double left = fmod(gone, 2 * way);
    return left < way ? left : 2 * way - left;
}

/* Dense enough that the shortest turn from key to key is the one that is meant. */
double attack_key_time(const attack_collider *c)
{
    double speed = sqrt(c->vx * c->vx + c->vy * c->vy + c->vz * c->vz);
    double leg = speed > 0 && c->way > 0 ? c->way / speed : c->spin != 0 ? 0.3 / fabs(c->spin) : 0;
    return leg / (1 + floor(fabs(c->spin) * leg / 0.3));
}

/* Between keys the library mixes quaternions evenly; the angle then runs a little unevenly. */
static double spun(const attack_collider *c, double time)
{
    double between = attack_key_time(c);
    if (between <= 0 || c->spin == 0)
        return 0;
    double k = floor(time / between), t = time / between - k, half = 0.5 * c->spin * between;
    return 2 * half * k + 2 * atan2(t * sin(half), 1 - t + t * cos(half));
}

static void product(double out[3][3], double a[3][3], double b[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

static void about_y(double m[3][3], double angle)
{
    double c = cos(angle), s = sin(angle), rows[3][3] = {{c, 0, s}, {0, 1, 0}, {-s, 0, c}};
    memcpy(m, rows, sizeof rows);
}

attack_pose attack_pose_at(const attack_collider *c, double time)
{
    const double v[3] = {c->vx, c->vy, c->vz}, start[3] = {c->x, c->y, c->z};
    bool moves = c->motion != ATTACK_STILL;
    double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), s = moves ? along(v, c->way, time) : 0;
    attack_pose p;
    for (int k = 0; k < 3; k++)
        p.position[k] = start[k] + (speed > 0 ? v[k] / speed * s : 0);
    double yaw[3][3], spin[3][3], both[3][3];
    double tilt[3][3] = {{1, 0, 0}, {0, cos(c->tilt), -sin(c->tilt)}, {0, sin(c->tilt), cos(c->tilt)}};
    about_y(yaw, c->yaw);
    about_y(spin, moves ? spun(c, time) : 0);
    product(both, yaw, tilt);
    product(p.rows, both, spin);
    return p;
}

weft_vec3 attack_pose_put(const attack_pose *p, weft_vec3 x)
{
    double y[3];
    for (int k = 0; k < 3; k++)
        y[k] = p->position[k] + p->rows[k][0] * x.x + p->rows[k][1] * x.y + p->rows[k][2] * x.z;
    return (weft_vec3){y[0], y[1], y[2]};
}

static double outside_of(double dx, double dy, double dz)
{
    double ox = fmax(dx, 0), oy = fmax(dy, 0), oz = fmax(dz, 0);
    return sqrt(ox * ox + oy * oy + oz * oz) + fmin(fmax(dx, fmax(dy, dz)), 0);
}

double attack_distance(const attack_collider *c, const attack_pose *p, const double x[3])
{
    double y[3], d[3];
    for (int k = 0; k < 3; k++)
        d[k] = x[k] - p->position[k];
    for (int k = 0; k < 3; k++)
        y[k] = p->rows[0][k] * d[0] + p->rows[1][k] * d[1] + p->rows[2][k] * d[2];
    double round = sqrt(y[0] * y[0] + y[2] * y[2]);
    switch ((weft_collider_kind)c->kind) {
    case WEFT_COLLIDER_PLANE: return y[1];
    case WEFT_COLLIDER_SPHERE: return sqrt(round * round + y[1] * y[1]) - c->size;
    case WEFT_COLLIDER_CAPSULE: {
        double end = fmax(fabs(y[1]) - c->high, 0);
        return sqrt(round * round + end * end) - c->size;
    }
    case WEFT_COLLIDER_CYLINDER: return outside_of(round - c->size, fabs(y[1]) - c->high, -1e300);
    default: return outside_of(fabs(y[0]) - c->size, fabs(y[1]) - c->high, fabs(y[2]) - c->size);
    }
}
