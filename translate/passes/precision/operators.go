package precision

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir/dialect/aten"
)

// Policy says in which type an operator computes under autocast.
type Policy uint8

// The policies. An operator that is not in the table follows its operands: it computes in the
// type that they have, and in the types that the program wrote if they do not fit together.
const (
	Follow Policy = iota
	Lower         // in the 16-bit type
	Single        // in f32
	Widest        // in the widest type of its operands
)

// String names the policy.
func (p Policy) String() string {
	return [...]string{"follow", "lower", "single", "widest"}[p]
}

// operators is the table, by the names of operators without overloads. A name that ends in * stands
// for all that begin so. The lists come from PyTorch's Autocast Op Reference for CUDA
// (https://pytorch.org/docs/stable/amp.html), with its functional names in place of names of layers. Norms and linear
// algebra come from its CPU list, which keeps them in f32.
var operators = map[Policy]string{
	Lower: `addbmm addmm addmv addr baddbmm bmm chain_matmul linalg_multi_dot linear linalg_matmul matmul mm mv
		conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d conv_tbc convolution
		convolution_mode convolution_overrideable mkldnn_convolution prelu scaled_dot_product_attention`,
	Single: `acos asin cosh erfinv exp exp2 expm1 log log10 log1p log2 logit pow float_power reciprocal rsqrt
		sinh tan softplus log_sigmoid sigmoid_focal_loss xlogy special_*
		softmax safe_softmax softmin log_softmax logsumexp logcumsumexp logaddexp logaddexp2
		sum nansum mean nanmean prod cumprod cumsum var std var_mean std_mean trace trapezoid trapz
		norm frobenius_norm nuclear_norm renorm normalize cdist pdist dist pairwise_distance cosine_similarity
		layer_norm group_norm batch_norm instance_norm batch_norm_legit batch_norm_legit_functional
		binary_cross_entropy binary_cross_entropy_with_logits cosine_embedding_loss cross_entropy_loss ctc_loss
		hinge_embedding_loss huber_loss kl_div l1_loss margin_ranking_loss mse_loss multi_margin_loss
		multilabel_margin_loss multilabel_soft_margin_loss nll_loss nll_loss_nd nll_loss2d poisson_nll_loss
		smooth_l1_loss soft_margin_loss triplet_margin_loss gaussian_nll_loss
		cholesky cholesky_* det eig* fft_* geqrf inverse linalg_* logdet lstsq lu_* matrix_exp matrix_power
		orgqr ormqr pinverse qr slogdet solve stft istft svd symeig triangular_solve quantile nanquantile
		embedding_bag grid_sampler* upsample_*`,
	Widest: `add sub rsub mul div addcdiv addcmul atan2 bilinear cross dot vdot index_put
		index_copy index_add scatter scatter_add scatter_reduce tensordot cat concat concatenate stack hstack
		vstack dstack column_stack where maximum minimum fmax fmin lerp hypot`,
}

// policies has the table by name, and prefixes the names that end in *.
var policies, prefixes = func() (map[string]Policy, map[string]Policy) {
	names, begins := map[string]Policy{}, map[string]Policy{}
	for policy, list := range operators {
		for _, name := range strings.Fields(list) {
			into := names
			if prefix, ok := strings.CutSuffix(name, "*"); ok {
				into, name = begins, prefix
			}
			if _, twice := into[name]; twice {
				panic("BUG: precision: " + name + " is in the table twice")
			}
			into[name] = policy
		}
	}
	return names, begins
}()

// PolicyOf returns the policy of an operator: "add", "add.Tensor" or "aten.add.Tensor". Variants
// that PyTorch makes of an operator have the policy of that: _softmax, nll_loss_forward,
// native_layer_norm_backward, _softmax_backward_data.
func PolicyOf(operator string) Policy {
	name := aten.BaseName(operator)
	if p, ok := listed(name); ok {
		return p
	}
	name = strings.TrimPrefix(strings.TrimLeft(name, "_"), "native_")
	if p, ok := listed(name); ok {
		return p
	}
	for _, suffix := range []string{"_backward_data", "_double_backward", "_backward", "_forward"} {
		if base, ok := strings.CutSuffix(name, suffix); ok {
			p, _ := listed(base)
			return p
		}
	}
	return Follow
}

// listed looks a name up. A whole name goes before a prefix.
func listed(name string) (Policy, bool) {
	if p, ok := policies[name]; ok {
		return p, true
	}
	for prefix, p := range prefixes {
		if strings.HasPrefix(name, prefix) {
			return p, true
		}
	}
	return Follow, false
}

// Operators returns the names that have a policy, in order; those that end in * are prefixes.
func Operators(p Policy) []string {
	names := strings.Fields(operators[p])
	slices.Sort(names)
	return names
}
