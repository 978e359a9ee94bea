"""What is not recorded, and why: results that PyTorch does not define, or gets wrong."""

import fnmatch

# Goals of record.py (with the argument's name after a colon) that are left out for operators.
LEFT_OUT = [
    ("special*", "linalg_* _linalg_* geqrf ormqr inverse pinverse cholesky* lu_* logdet slogdet det "
                 "matrix_power matrix_exp nuclear_norm triangular_solve symeig qr svd",
     "the order of LAPACK's operations decides what an infinity or a NaN reaches"),
    ("special*", "fft_* _fft_* stft",
     "the order of a transform decides whether a part is an infinity, a NaN or a zero"),
    ("special*", "var* std* native_group_norm native_layer_norm trapezoid* trapz* grid_sampler*",
     "an infinite mean is a NaN after subtractions, whose order is free"),
    ("special*", "histc histogram* _histogramdd*", "which bin a NaN falls into is not defined"),
    ("special*", "special_*polynomial* special_*bessel* special_airy_ai",
     "orders that are no integers, and PyTorch 1.13's bounded arguments: SciPy gives the values"),
    ("special*", "igamma* multilabel_margin_loss_forward",
     "PyTorch 1.13 takes limits of infinite arguments in no stated order"),
    ("special*", "linspace logspace arange*", "PyTorch converts infinities to integers"),
    ("empty", "_fft_c2c _fft_r2c _fft_c2r", "a transform of no points is refused"),
    ("empty", "_convolution* convolution conv*",
     "PyTorch takes the channels of an empty input for those of the result"),
    ("empty", "bincount", "PyTorch 1.13 forgets the type of the weights"),
    ("empty", "pixel_unshuffle", "PyTorch 1.13 hands an empty input on as it is"),
    ("empty", "_scaled_dot_product_attention*", "PyTorch divides by the root of an extent of 0"),
    ("empty", "_transformer_encoder_layer_fwd linalg_lstsq symeig tensor_split* norm.*",
     "PyTorch skips its own checks of empty tensors"),
    ("extents", "_histogramdd* trace", "PyTorch 1.13 does not check extents, or writes past a diagonal"),
    ("scalars", "adjoint mH mT matrix_H", "matrices: PyTorch takes less for compatibility only"),
    ("scalars", "var var_mean std std_mean", "0/0 or 0·∞: the gradient of no degrees of freedom"),
    ("arguments:last_dim_size", "_fft_c2r", "PyTorch reads past the spectrum"),
    ("arguments:weight", "_histogramdd_bin_edges", "not looked at"),
    ("arguments:stride", "_reshape_alias", "strides that reach outside the tensor"),
    ("arguments:expand?", "_trilinear", "PyTorch does not check that the operands fit"),
    ("arguments:padding_mode", "grid_sampler*", "numbers that stand for no mode"),
    ("arguments:interpolation_mode", "grid_sampler*", "numbers that stand for no mode"),
    ("arguments:padding", "reflection_pad* replication_pad*", "PyTorch reads past a list that is too short"),
    ("arguments:return_inverse", "_unique* unique_*", "a result that was not asked for"),
    ("arguments:return_counts", "_unique* unique_*", "a result that was not asked for"),
    ("arguments:eigenvectors", "symeig", "a result that was not asked for"),
    ("arguments:n", "diff", "PyTorch 1.13 forgets what to prepend and append if n is 0"),
    ("arguments:indices", "tensor_split.indices", "indices that descend"),
    ("arguments:driver", "linalg_*", "CUDA's"),
    ("bool", "einsum", "PyTorch sums bools in some contractions and not in others"),
    ("[iu]*", "affine_grid_generator", "PyTorch takes integers for a matrix and truncates"),
]

# Results that are compared, where others are intermediate values for a backward operator.
RESULTS = {
    "_embedding_bag*": [0], "embedding_bag*": [0], "_ctc_loss*": [0],
}

# Results whose gradients are recorded, where not all have one that is unique: the signs of
# singular vectors are free, and what is handed to backward operators has none.
DIFFERENTIATED = {
    "_linalg_svd": [1], "linalg_svd": [1], "svd": [1], "_linalg_eigh": [0], "linalg_eigh": [0], "symeig": [0],
    "native_group_norm": [0], "native_layer_norm": [0], "native_batch_norm": [0],
    "_linalg_det": [0], "_linalg_slogdet": [1], "_linalg_solve_ex": [0], "log_sigmoid_forward": [0],
}


def left_out(name, goal, label):
    """Whether a call of an operator is not recorded."""
    for pattern, operators, _ in LEFT_OUT:
        if fnmatch.fnmatchcase(goal, pattern) or fnmatch.fnmatchcase(f"{goal}:{label}", pattern):
            if any(fnmatch.fnmatchcase(name, o) for o in operators.split()):
                return True
    return False


def chosen(table, name):
    """The entry of an operator, or None."""
    return next((v for k, v in table.items() if fnmatch.fnmatchcase(name, k)), None)
