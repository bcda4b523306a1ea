# SPDX-License-Identifier: MIT
"""Made by scripts/python_reference.py from the headers in include/weft: edit these."""
from typing import Dict, Tuple

# Per struct: field, as Python calls it, to what it is, its unit, range and default.
STRUCTS: Dict[str, Dict[str, str]] = {
    "weft_adapt": {
        "max_level":
            'how often an element may split; [0, 12]; 0: the mesh stays as it is',
        "refine_angle":
            "The biggest elements at a node split where a normal beside it is off the node's by more than "
            'this, rad; (0, 3]; 0.2.',
        "coarsen_angle":
            'four merge where all are off by less, rad; [0, ½ refine_angle]; 0.06',
        "coarsen_way":
            'and no point moves by more than this, m; [0, 1]; 5e-4',
        "min_size":
            'sides do not get shorter than this, m; [0, 1e3]; 0',
        "node_limit":
            'of this cloth; [0, 100000000]; 0: none. Beyond, elements no longer split: a warning',
        "interval":
            'Least time between two looks, s; [0, 10]; 1/60. Fewer than one in 128 elements wait for up to '
            'four of them.',
        "size":
            'NULL: none',
    },
    "weft_attachment_def": {
        "nodes":
            'read during the call only',
        "targets":
            'PIN, CLAMP and SOFT: where the nodes are held, m; NULL: where they are now.',
        "keys":
            'PIN, CLAMP and SOFT: moves the targets: x ↦ position + rotation · (x − position of the first '
            "key), relative to the first key's rotation; between keys as weft_key says. NULL: held still.",
        "stiffness":
            'SOFT: N/m; [1e-6, 1e7]; 100',
        "weights":
            'SOFT: times stiffness, per node; each [0, 1e3]; NULL: 1',
        "rod_point":
            'ROD: a point of it, m. Nodes are put on it at the first step',
        "rod_direction":
            'ROD: (1, 0, 0)',
        "rod_friction":
            'ROD: k_f; [0, 10]; 0.2',
        "collider":
            'COLLIDER',
        "start":
            'It holds in steps that begin at `from` or later and before `until`, s; finite, but for '
            'infinity as `until`; (0, infinity). Without targets, what is held from later on is held where '
            'it is then.',
        "until":
            'It holds in steps that begin at `from` or later and before `until`, s; finite, but for '
            'infinity as `until`; (0, infinity). Without targets, what is held from later on is held where '
            'it is then.',
    },
    "weft_cloth_model": {
        "adapt":
            'all zero: the mesh stays as it is',
        "pressure":
            'overpressure inside a closed piece whose normals point outward, Pa; [-1e6, 1e6]; 0',
        "fabrics":
            'Fabric per cloth, panel or face. fabrics[0] serves all unless face_fabric or panel_fabric say '
            'otherwise; NULL: the default fabric. The arrays are read during the call only.',
        "face_panel":
            'per face, in [0, n_panels); NULL: all 0',
        "panel_fabric":
            'per panel, in [0, n_fabrics); NULL: all 0',
        "face_fabric":
            'per face, in [0, n_fabrics); goes before panel_fabric; NULL: by panel',
    },
    "weft_collider_def": {
        "radius":
            'm; [1e-4, 1e3]; 0.5',
        "height":
            'm; [0, 1e3]; 1',
        "size":
            'm; each [1e-4, 1e3]; (1, 1, 1)',
        "position":
            'm; (0, 0, 0)',
        "rotation":
            '(0, 0, 0, 1)',
        "keys":
            'instead of position and rotation; read during the call only; NULL: stands still',
        "friction":
            "times the fabric's k_f; [0, 100]; 1",
        "dissipation":
            "times the fabric's k_d; [0, 1]; 1",
        "vertices":
            "MESH, read during the call only. Vertices are in the collider's frame, m. What is odd about a "
            'mesh (holes, edges of three triangles, triangles without area) is not refused: '
            'weft_collider_get_info tells of it.',
        "n_vertices":
            'at least 3',
        "triangles":
            'three vertices each',
        "n_triangles":
            'at least 1 that names three different vertices',
    },
    "weft_detect_query": {
        "mode":
            'proven',
        "thickness":
            '0: what may touch. d > 0: what may be nearer than d at x0, but for pairs with a way on the '
            'surface between them of 2 d or less. Needs a fit without x1 and with inflate ≥ d / 2. [0, 2 · '
            'inflate]; 0',
        "limit":
            'pairs of a kind at most, else WEFT_ERROR_LIMIT; 0: 2^30; 0',
        "triangle_pairs":
            'pairs of triangles, with common vertices and edges too, in place of primitives; false',
    },
    "weft_export_def": {
        "path":
            "of the file; a sequence puts the frame's number (4 digits or more) before the ending",
        "cloth":
            '[-1, n_cloths); -1: all; formats of one mesh (PC2, MDD, NPZ) join them in order',
        "start":
            'frames, both included; to −1: the last',
        "to":
            'frames, both included; to −1: the last',
        "every":
            'every n-th frame; [1, 1000000]; 1',
        "axes":
            'y up',
        "scale":
            'file units a metre; (0, 1e9]; 1. 100: centimetres',
        "fps":
            "frames a second the file claims; 0: the run's over `every`",
        "force":
            'overwrite what exists; false',
        "as_triangles":
            'triangles as drawn in place of polygons; GLB always; false',
        "progress":
            'Called after each frame, if not NULL; false stops, leaving no half file.',
    },
    "weft_fabric": {
        "density":
            'mass per area, kg/m²; (0, 100]; 0.15',
        "stretch_warp":
            "Young's modulus times thickness along warp, N/m; [1e-3, 1e7]; 500",
        "stretch_weft":
            'the same along weft, N/m; [1e-3, 1e7]; 500',
        "shear":
            'shear modulus times thickness, N/m; [0, 1e7]; 60',
        "poisson":
            'Geometric mean of the two Poisson ratios; [0, 0.95]; 0. Of the membrane only: springs have '
            'their own.',
        "bending_warp":
            'bending rigidity against curling along warp, N·m; [0, 1e3]; 5e-6',
        "bending_weft":
            'the same along weft, N·m; [0, 1e3]; 5e-6',
        "damping_stretch":
            'of stretch and shear; [0, 10]; 0.002',
        "damping_bending":
            '[0, 10]; 0.005',
        "thickness":
            'distance kept from colliders, m; [0, 0.1]; 3e-4',
        "friction":
            'k_f of Provot 1997 eq. 4, tangential over normal; [0, 10]; 0.4',
        "dissipation":
            'k_d of Provot 1997 eq. 4: speed after over speed before an impact; [0, 1]; 0',
        "stretch_limit":
            'largest length over rest length along warp and weft; 0 (none) or [1.001, 10]; 1.10',
    },
    "weft_filter": {
        "category":
            'a bit for each category that it is of; 1',
        "mask":
            'of the categories that it collides with; 0xffffffff',
        "itself":
            'cloth: it collides with itself; true',
    },
    "weft_fit_def": {
        "clearance":
            'least distance of every panel from the body, and of panels from each other, m; [0, 0.5]; 0.005',
        "gap":
            'distance from the body that panels without a placement are put at, m; [0, 1]; 0.03',
        "ignore_hints":
            'as if no panel had a placement; false',
        "n_worn_vertices":
            '0',
        "n_worn_triangles":
            '0',
    },
    "weft_form_def": {
        "alloc":
            "NULL: the C library's",
        "arm_angle":
            'of the arms below the horizontal, degrees; [0, 70]; 45',
        "n_triangles":
            'about; [2000, 1000000]; 26000',
    },
    "weft_garment_def": {
        "size":
            "length of the mesh's edges, m; [5e-4, 1]; 0.02",
        "seam_ratio":
            'most that the two sides of a seam may differ in length, a factor; [1, 1000]; 2',
        "turn":
            'A part of an outline gets a node more for each such angle that it turns, radians; [0.05, 3]; '
            '0.6.',
    },
    "weft_grid_def": {
        "n_warp":
            'nodes along warp; [2, 8192]; 2',
        "n_weft":
            'nodes along weft; [2, 8192]; 2',
        "size_warp":
            'm; [1e-4, 250]; 1',
        "size_weft":
            'm; [1e-4, 250]; 1',
        "corner":
            'where node (0, 0) is, m; (0, 0, 0)',
        "axis_warp":
            'direction, need not be a unit vector; (1, 0, 0)',
        "axis_weft":
            'direction, made perpendicular to the other; (0, 0, -1)',
        "velocity":
            'm/s; |v| ≤ 1e4; (0, 0, 0)',
    },
    "weft_measures": {
        "height":
            'of the whole person, head included; [0.8, 2.5]; 1.68',
        "chest":
            'girth at the fullest; [0.4, 2]; 0.92',
        "waist":
            'girth; [0.35, 2]; 0.75',
        "hips":
            'girth at the fullest; [0.4, 2.2]; 1.0',
        "neck":
            'girth; [0.2, 0.7]; 0.35',
        "shoulder":
            'from shoulder point to shoulder point; [0.2, 0.7]; 0.39',
        "arm":
            'from shoulder to wrist; [0.2, 1]; 0.57',
        "inseam":
            'from the crotch to the floor; [0.3, 1.3]; 0.78',
    },
    "weft_mesh_def": {
        "positions":
            'm, within ±250 m times world_scale',
        "velocities":
            'm/s; NULL: at rest',
        "uv":
            'material coordinates, u along warp, m; NULL: from the rest shape',
        "rest_positions":
            'Without uv: the shape at rest, m; NULL: positions. Warp is then where x (for faces across it, '
            'y) points on each face. With uv, rest is flat and this must be NULL.',
        "node_mass":
            'Mass added at each node (beads, buttons), kg; [0, 1e6]; NULL: none. Nodes of no face may be if '
            'they have some.',
        "triangles":
            '3 a triangle',
        "quads":
            '4 a quad',
    },
    "weft_sew_def": {
        "garment":
            'placed: positions are where the sewing begins',
        "pattern":
            'the one it was made from',
        "model":
            "fabrics, bending …; face_panel and n_panels are the garment's. With `adapt`, elements split "
            'and merge from settling on, on both sides of seams alike, if all are welded',
        "body":
            'has no friction while seams are pulled, and then what it had',
        "has_body":
            'false: there is none',
        "seam_stage":
            "a seam a number, [0, 1000]: lower ones are pulled first; NULL: by the panels' names: trunk, "
            'legs, what makes a ring of a sleeve or band, and cuffs to sleeves 0, others of sleeves 1, of '
            'bands, collars and hoods 2; the next stage is drawn along with little force',
        "speed":
            'at which the two sides of a seam come together at most, m/s; [0.01, 100]; 1',
        "tension":
            'with which they are pulled at most, N a metre of seam; [0.1, 1e5]; 200',
        "within":
            'nodes nearer than this are welded, m; [1e-6, 0.01]; 5e-4',
        "at_last":
            'when the time for sewing is over, those nearer than this are, and what then intersects is '
            'untangled; pulling ends, too, when all have been nearer than half of it for 0.2 s; m; [0, '
            '0.1]; 0.04',
        "hem":
            'Width of hems and of seam allowances, whose layers strengthen the edges of panels but bands, '
            'm; [0, 0.1]; 0.01',
        "step":
            's; [1e-4, 0.1]; 1/60',
        "sew_time":
            'at most, s; [0, 1000]; 3',
        "relax_time":
            'welded, but without weight or friction yet, s; [0, 1000]; 0.25',
        "settle_time":
            'at most, s; [0, 1000]; 2',
        "still":
            "at rest when the speed's mean by mass is below, m/s; [0, 10]; 0.02",
        "gravity":
            'after sewing, m/s²; (0, -9.81, 0)',
        "sew_viscosity":
            'of the air, N·s/m³ (weft_sim_def.air_viscosity): while sewing; [0, 1e4]; 2',
        "settle_viscosity":
            'while settling; [0, 1e4]; 1',
        "end_viscosity":
            'that is left; [0, 1e4]; 0',
    },
    "weft_sim_def": {
        "gravity":
            'm/s²; |g| ≤ 1e4; (0, -9.81, 0)',
        "integrator":
            'BDF2',
        "n_threads":
            '[0, 256]; 0: one a core; 1',
        "newton_tolerance":
            'solve until no node would move more than this, m; [1e-12, 1]; 1e-5',
        "newton_limit":
            'Newton steps a time step at most; [1, 1000]; 2. Up to six times as many where the cloth is far '
            "from solved: nodes still move by more than half an edge and an eighth of the fastest node's "
            'way (such a step would not be taken, but halved), many edges are near their limit, folds have '
            'shortened the steps, or it begins to slide; four times as many where it lies on meshes, until '
            'it is solved to a hundredth of g h², or, with fine contact, on anything, to a fiftieth of what '
            'forces do in the step; twice where much of it slides on cloth.',
        "linear_tolerance":
            'error of the inner solve in the energy norm; [1e-12, 0.5]; 0.15',
        "linear_limit":
            'conjugate-gradient iterations a Newton step at most; [1, 1000000]; 5000',
        "halving_limit":
            'how often a step that fails is halved; [0, 10]; 5',
        "velocity_bound":
            'explicit: most way a step over the shortest edge at the node; [1e-6, 10]; 0.25',
        "contact_radius":
            'Contact with colliders begins this much beyond the thickness, m; [0, 0.1]; 0: a tenth of the '
            'edge length, at most 5e-4. Cloth at rest hovers about that much.',
        "contact_stiffness":
            "times the fabric's mean stretch stiffness; [1e-3, 1e3]; 1",
        "pair_radius":
            'Contact of cloth with cloth and with meshes begins this much beyond the thickness, m; [0, '
            '0.1]; 0: a quarter of the edge length, at most 4e-3.',
        "contact":
            'WEFT_CONTACT_COARSE',
        "response":
            'WEFT_RESPONSE_WEFT: what is free of intersections stays free of them',
        "wind":
            'velocity of the air, m/s; |v| ≤ 1e3; (0, 0, 0)',
        "air_density":
            'kg/m³; [0, 100]; 1.2',
        "drag_normal":
            'drag coefficient of flow along the normal; [0, 10]; 1',
        "drag_tangential":
            'drag coefficient of flow along the surface; [0, 10]; 0.02',
        "air_viscosity":
            'C of Villard 2002 §5.1.2 per area: force −C v, N·s/m³; [0, 1e4]; 0',
        "world_scale":
            'Positions are multiples of 2^(world_scale − 32) m within ±256 · 2^world_scale m; [0, 12]; 0.',
        "alloc":
            "NULL: the C library's",
        "log":
            'NULL: none',
        "parallel_for":
            'NULL: own threads',
        "force":
            'NULL: none',
    },
    "weft_tie_def": {
        "nodes_a":
            'pair i is nodes_a[i] and nodes_b[i]; read during the call only',
        "stiffness":
            'N/m; [1e-6, 1e7]; 100',
        "length":
            'at rest, m; [0, 1e3]; 0',
        "damping":
            'relaxation time, s; [0, 10]; 0.01',
    },
    "weft_untangle_def": {
        "method":
            'CLOTH',
        "positions":
            'm; finite, each coordinate within ±1e30. Nodes at the same place stay together',
        "triangles":
            '3 a triangle',
        "objects":
            'which object each triangle is of, [0, n_objects); NULL: all 0',
        "n_objects":
            '[1, 1000000]; 1',
        "colliders":
            'Per object: a collider does not move, and is not tested against itself or other colliders. '
            'NULL: none is.',
        "rigid":
            'Per object: it keeps its shape, and goes as a whole, without turning, out of colliders and '
            'other rigid objects; all else gives way to it. NULL: none does. And how far, m, where a '
            'contour gets shorter by as much as the object goes; [0, 1]; 0: 0.005 of the size of all that '
            'is rigid.',
        "sides":
            'NULL: OUT for colliders and rigid objects, else DYNAMIC',
        "layers":
            'go before object_side',
        "n_layers":
            '0',
        "solids":
            'Analytic colliders where they are at their position and rotation (keys are not read), and how '
            'far triangles have to stay from them, m; [0, 1]; 0.',
        "n_colliders":
            '[0, 100000]; 0',
        "masses":
            'kg a node; heavier ones move less; 0: does not move. NULL: all equal. Not for rigid objects.',
        "gap":
            'm, to be left between surfaces; [0, 1]; 0: 0.02 of the mean edge',
        "step":
            'CONTOURS: how far they move at once, in edges; (0, 1]; 0.35',
        "average":
            'one vector for a contour, rather than one for each crossing of it: CONTOURS; false',
        "fixed_strategy":
            'never switch, and leave analytic colliders by chords alone: CONTOURS; false',
        "as_published":
            'CONTOURS: of a crossing nothing is asked but eq. 2, or eq. 3 where the user gives a repulsive '
            'side; nothing found out, no other strategy, no sliding: to reproduce the paper. `average` goes '
            'with it. false',
        "keep_shape":
            'CONTOURS: smooth no farther than two rings around what is tangled at the time; false',
        "max_iterations":
            'by CLOTH steps, 480 at most, while something intersects; [1, 100000]; 1500',
        "pair_limit":
            'intersecting pairs at most, else WEFT_ERROR_LIMIT; [1, 2^28]; 2^22',
        "n_threads":
            '[0, 256]; 0: one a core; 1. The result does not depend on it',
        "alloc":
            "NULL: the C library's",
        "watch":
            'CLOTH: called at the start and now and then; attempts begin anew. NULL: nobody',
    },
}

# Callables of the package, and the structs whose fields their arguments are.
TAKES: Dict[str, Tuple[str, ...]] = {
    "Fabric": ('weft_fabric',),
    "Sim": ('weft_sim_def',),
    "Sim.add_grid": ('weft_grid_def', 'weft_cloth_model',),
    "Sim.add_mesh": ('weft_mesh_def', 'weft_cloth_model',),
    "Sim.add_collider": ('weft_collider_def',),
    "Sim.attach": ('weft_attachment_def',),
    "Sim.tie": ('weft_tie_def',),
    "Adapt": ('weft_adapt',),
    "untangle": ('weft_untangle_def',),
    "detect": ('weft_detect_query',),
    "Pattern.draft": ('weft_measures',),
    "form": ('weft_form_def', 'weft_measures',),
    "Garment": ('weft_garment_def',),
    "Garment.fit": ('weft_fit_def',),
    "Sewing": ('weft_sew_def', 'weft_cloth_model',),
    "Run.export": ('weft_export_def',),
    "Solid": ('weft_collider_def',),
    "Cloth.set_filter": ('weft_filter',),
    "Collider.set_filter": ('weft_filter',),
}
