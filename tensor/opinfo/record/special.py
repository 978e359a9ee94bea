"""Special functions by SciPy in float64, a second opinion beside PyTorch's."""

import zlib

import numpy as np
import scipy.special as sp
import torch

import program

UNARY = {
    "erf": sp.erf, "erfc": sp.erfc, "erfinv": sp.erfinv, "lgamma": sp.gammaln, "digamma": sp.digamma,
    "i0": sp.i0, "sinc": np.sinc, "expm1": sp.expm1, "log1p": sp.log1p, "exp2": sp.exp2, "sigmoid": sp.expit,
    "logit": sp.logit, "special_entr": sp.entr, "special_erfcx": sp.erfcx, "special_i0e": sp.i0e,
    "special_i1": sp.i1, "special_i1e": sp.i1e, "special_ndtri": sp.ndtri, "special_log_ndtr": sp.log_ndtr,
    "special_bessel_j0": sp.j0, "special_bessel_j1": sp.j1, "special_bessel_y0": sp.y0,
    "special_bessel_y1": sp.y1, "special_modified_bessel_i0": sp.i0, "special_modified_bessel_i1": sp.i1,
    "special_modified_bessel_k0": sp.k0, "special_modified_bessel_k1": sp.k1,
    "special_scaled_modified_bessel_k0": sp.k0e, "special_scaled_modified_bessel_k1": sp.k1e,
    "special_spherical_bessel_j0": lambda x: sp.spherical_jn(0, x),
    "special_airy_ai": lambda x: sp.airy(x)[0], "gelu": lambda x: x * sp.ndtr(x),
}
BINARY = {
    "xlogy.Tensor": sp.xlogy, "special_xlogy": sp.xlogy, "special_xlog1py": sp.xlog1py,
    "special_zeta": sp.zeta, "igamma": sp.gammainc, "igammac": sp.gammaincc,
}
POLYNOMIALS = {
    "chebyshev_polynomial_t": sp.eval_chebyt, "chebyshev_polynomial_u": sp.eval_chebyu,
    "hermite_polynomial_h": sp.eval_hermite, "hermite_polynomial_he": sp.eval_hermitenorm,
    "laguerre_polynomial_l": sp.eval_laguerre, "legendre_polynomial_p": sp.eval_legendre,
    "shifted_chebyshev_polynomial_t": sp.eval_sh_chebyt, "shifted_chebyshev_polynomial_u": sp.eval_sh_chebyu,
}
# Where the functions are defined, if not on the whole line.
RANGES = {
    "erfinv": (-1, 1), "logit": (0, 1), "log1p": (-1, 20), "special_ndtri": (0, 1), "lgamma": (0, 30),
    "digamma": (0, 30), "special_erfcx": (-3, 30), "special_airy_ai": (-6, 6), "exp2": (-20, 20),
    "expm1": (-20, 20), "special_bessel_j0": (-30, 30), "special_bessel_j1": (-30, 30),
    "special_spherical_bessel_j0": (-30, 30),
}
POSITIVE = ("special_bessel_y", "special_modified_bessel_k", "special_scaled_modified_bessel_k", "special_entr",
            "special_zeta", "igamma")


def programs(op):
    """Programs of an operator whose results are SciPy's."""
    name, rng = op["name"], np.random.default_rng(zlib.crc32(op["name"].encode()))
    low, high = RANGES.get(name, (-5, 5))
    if name.startswith(POSITIVE):
        low, high = 0.05, 20
    if name in UNARY:
        inputs = [rng.uniform(low, high, 40)]
        want = UNARY[name](*inputs)
    elif name in BINARY:
        inputs = [rng.uniform(max(low, 1.25), 10, 40), rng.uniform(0.5, 10, 40)]
        want = BINARY[name](*inputs)
    elif name.removeprefix("special_") in POLYNOMIALS:
        inputs = [rng.uniform(-1, 2, 40), rng.integers(0, 7, 40).astype(np.float64)]
        want = POLYNOMIALS[name.removeprefix("special_")](inputs[1].astype(int), inputs[0])
    else:
        return []
    w = program.Writer()
    p = {"name": f"aten.{name}/f64/scipy", "oracle": "scipy",
         "inputs": [w.named(f"i{i}", torch.from_numpy(v)) for i, v in enumerate(inputs)],
         "ops": [{"op": program.qualified(name), "args": [{"v": f"i{i}"} for i in range(len(inputs))], "outs": ["v0"]}],
         "outputs": [w.named("v0", torch.from_numpy(np.asarray(want)))]}
    return [(p, bytes(w.data))]
