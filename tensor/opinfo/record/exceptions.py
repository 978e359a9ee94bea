"""What is not recorded, and why: results that PyTorch does not define, or gets wrong."""

import fnmatch

# Goals of record.py (with the argument's name after a colon) that are left out for operators.
LEFT_OUT = [
    ("*", "empty.* empty_like empty_strided new_empty new_empty_strided",
     "uninitialised memory: the reference in Go looks at shape and type"),
    ("special*", "linalg_* _linalg_* geqrf ormqr inverse pinverse cholesky* lu_* logdet slogdet det "
                 "matrix_power matrix_exp nuclear_norm triangular_solve symeig qr svd",
     "the order of LAPACK's operations decides what an infinity or a NaN reaches"),
    ("special*", "fft_* _fft_* stft",
     "the order of a transform decides whether a part is an infinity, a NaN or a zero"),
    ("special*", "var* std* native_group_norm native_layer_norm trapezoid* trapz* grid_sampler*",
     "an infinite mean is a NaN after subtractions, whose order is free"),
    ("special*", "histc histogram* _histogramdd*", "which bin a NaN falls into is not defined"),
    ("special*", "special_*polynomial* special_*bessel* special_airy_ai",
     "orders that are no integers, and PyTorch's bounded arguments: SciPy gives the values"),
    ("special*", "igamma* multilabel_margin_loss_forward multi_margin_loss",
     "PyTorch takes limits of infinite arguments in no stated order"),
    ("special*", "linspace logspace arange*", "PyTorch converts infinities to integers"),
    ("empty", "_fft_c2c _fft_r2c _fft_c2r", "a transform of no points is refused"),
    ("empty", "_convolution* convolution conv*",
     "PyTorch takes the channels of an empty input for those of the result"),
    ("empty", "bincount", "PyTorch forgets the type of the weights"),
    ("empty", "pixel_unshuffle", "PyTorch hands an empty input on as it is"),
    ("empty", "_scaled_dot_product_attention*", "PyTorch divides by the root of an extent of 0"),
    ("empty", "_transformer_encoder_layer_fwd linalg_lstsq symeig tensor_split* norm.*",
     "PyTorch skips its own checks of empty tensors"),
    ("large", "_histogramdd* trace _ctc_loss_backward* _segment_reduce_backward _fft_c2r _reshape_alias",
     "as of other extents"),
    ("extents", "_histogramdd* trace", "PyTorch does not check extents, or writes past a diagonal"),
    ("scalars", "adjoint mH mT matrix_H", "matrices: PyTorch takes less for compatibility only"),
    ("scalars", "var var_mean std std_mean", "0/0 or 0·∞: the gradient of no degrees of freedom"),
    ("special*", "_convolution* convolution conv?d* conv_transpose*",
     "which zeros of padding are multiplied by infinities depends on PyTorch's choice of a kernel"),
    ("special*", "_cast_* to.* _to_copy type_as", "a conversion of what no integer is"),
    ("special*", "upsample_*_backward", "weights of zero, which PyTorch multiplies and others leave out"),
    ("special*", "_ctc_loss*", "probabilities that are none"),
    ("[aes]*", "_ctc_loss_backward*", "losses and states must be those of the forward operator"),
    ("[ae]*", "_segment_reduce_backward", "results must be those of the forward operator"),
    ("[ae]*", "_fft_c2r", "PyTorch reads past the spectrum"),
    ("[aes]*", "_reshape_alias", "strides that reach outside the tensor"),
    ("empty", "_histogramdd*", "PyTorch does not check extents"),
    ("[iub]*", "lu_unpack", "PyTorch does not look at the type"),
    ("f16", "lu_unpack", "PyTorch does not look at the type"),
    ("arguments:blank", "_ctc_loss*", "targets must not be blank"),
    ("arguments:rcond", "linalg_lstsq", "the rank of LAPACK's default driver is that of a QR factorization"),
    ("arguments:scale_grad_by_freq", "*embedding_bag*", "PyTorch counts other indices than it scales"),
    ("c*", "linalg_eig* _linalg_eigvals", "the order of eigenvalues is free: eig_test.go of ops states them"),
    ("c*", "dot vdot", "PyTorch and Debian's BLAS return complex numbers differently"),
    ("*", "resize resize_as", "uninitialised memory: the reference in Go looks at what is not"),
    ("arguments:weight", "_histogramdd_bin_edges", "not looked at"),
    ("arguments:expand?", "_trilinear", "PyTorch does not check that the operands fit"),
    ("arguments:padding_mode", "grid_sampler*", "numbers that stand for no mode"),
    ("arguments:interpolation_mode", "grid_sampler*", "numbers that stand for no mode"),
    ("arguments:padding", "reflection_pad* replication_pad*", "PyTorch reads past a list that is too short"),
    ("arguments:return_inverse", "_unique* unique_*", "a result that was not asked for"),
    ("arguments:return_counts", "_unique* unique_*", "a result that was not asked for"),
    ("arguments:eigenvectors", "symeig", "a result that was not asked for"),
    ("arguments:n", "diff", "PyTorch forgets what to prepend and append if n is 0"),
    ("arguments:indices", "tensor_split.indices", "indices that descend"),
    ("arguments:driver", "linalg_*", "CUDA's"),
    ("arguments:num_classes", "one_hot", "the number of classes is one that is given"),
    ("empty", "scaled_dot_product_attention _scaled_dot_product_*", "PyTorch divides by the root of an extent of 0"),
    ("empty", "_adaptive_avg_pool3d_backward diag index_add linalg_matrix_norm",
     "PyTorch does not check the arguments where there are no elements"),
    ("empty", "multi_margin_loss multilabel_margin_loss_forward", "the mean of nothing is what lay in memory"),
    ("arguments:scale", "scaled_dot_product_attention _scaled_dot_product_*",
     "PyTorch multiplies a scale of 0 with what hides keys"),
    ("arguments:bidirectional", "lstm.input", "PyTorch does not check that the state has both directions"),
    ("u8", "upsample_bilinear2d* upsample_bicubic2d*", "sums of products of 16 bits, in PyTorch's own rounding"),
    ("bool", "einsum", "PyTorch sums bools in some contractions and not in others"),
    ("[iu]*", "affine_grid_generator", "PyTorch takes integers for a matrix and truncates"),
]

# Results that are compared, where others are intermediate values for a backward operator.
RESULTS = {
    "_embedding_bag*": [0], "embedding_bag*": [0], "_ctc_loss*": [0],
}

# Results whose gradients are recorded, where not all have one that is unique: the signs of
# singular vectors are free, what is handed to backward operators has none, and theirs would be
# of second order.
DIFFERENTIATED = {
    "*_backward*": [], "_linalg_svd": [1], "linalg_svd": [1], "svd": [1], "_linalg_eigh": [0], "linalg_eigh": [0], "symeig": [0], "linalg_eig": [0],
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
