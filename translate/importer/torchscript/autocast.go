package torchscript

import (
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
)

// torch.autocast computes some operators in a type of 16 bits and some in f32, by lists that depend on the device. A
// program of torch.export has a graph that runs so; what follows are the lists of a CPU. TorchScript casts by lists of
// its own, which are not here: a script that turns autocast on is refused.

// lowered are the operators that compute in the type of autocast.
var lowered = setOfWords(`conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d _convolution bmm mm
	linalg_vecdot baddbmm addmm addbmm linear matmul prelu scaled_dot_product_attention _native_multi_head_attention`)

// exact are the operators that compute in f32.
var exact = setOfWords(`avg_pool3d binary_cross_entropy grid_sampler polar prod quantile nanquantile stft cdist grid_sampler_2d
	grid_sampler_3d trace view_as_complex cholesky cholesky_inverse cholesky_solve inverse lu_solve orgqr ormqr pinverse
	max_pool3d max_unpool2d max_unpool3d adaptive_avg_pool3d reflection_pad1d reflection_pad2d replication_pad1d
	replication_pad2d replication_pad3d mse_loss cosine_embedding_loss nll_loss nll_loss2d hinge_embedding_loss
	poisson_nll_loss smooth_l1_loss cross_entropy_loss l1_loss huber_loss margin_ranking_loss soft_margin_loss
	triplet_margin_loss multi_margin_loss ctc_loss kl_div multilabel_margin_loss binary_cross_entropy_with_logits
	fft_fft fft_ifft fft_fft2 fft_ifft2 fft_fftn fft_ifftn fft_rfft fft_irfft fft_rfft2 fft_irfft2 fft_rfftn fft_irfftn
	fft_hfft fft_ihfft linalg_cond linalg_matrix_rank linalg_solve linalg_cholesky linalg_svdvals linalg_eigvals
	linalg_eigvalsh linalg_inv linalg_householder_product linalg_tensorinv linalg_tensorsolve fake_quantize_per_tensor_affine
	geqrf _lu_with_info qr svd triangular_solve fractional_max_pool2d fractional_max_pool3d adaptive_max_pool3d
	multilabel_margin_loss_forward linalg_qr linalg_cholesky_ex linalg_svd linalg_eig linalg_eigh linalg_lstsq linalg_inv_ex`)

// widest are the operators that compute in the widest type of their operands.
var widest = setOfWords("stack cat index_copy")

// autocasted are the arguments of an operator as autocast gives them to it.
func (ev *evaluator) autocasted(at script.Position, name string, args arguments) arguments {
	to := ev.autocast
	switch {
	case to == dtype.Invalid:
		return args
	case lowered[name]:
	case exact[name]:
		to = dtype.F32
	case widest[name]:
		for _, v := range args.positional {
			if holdsF32(v) {
				to = dtype.F32
			}
		}
	default:
		return args
	}
	outside := ev.autocast
	ev.autocast = dtype.Invalid
	defer func() { ev.autocast = outside }()
	out := arguments{overload: args.overload}
	for _, v := range args.positional {
		out.positional = append(out.positional, ev.castAll(at, v, to))
	}
	for _, n := range args.named {
		out.named = append(out.named, namedValue{n.name, ev.castAll(at, n.value, to)})
	}
	return out
}

// castAll converts a tensor of floats, or a list of them, except floats of 64 bits.
func (ev *evaluator) castAll(at script.Position, v value, to dtype.DType) value {
	switch v := v.(type) {
	case *tensor:
		if d := v.typeOf().DType; d.IsFloat() && d != dtype.F64 {
			return ev.cast(at, v, to)
		}
	case *list:
		l := &list{}
		for _, item := range v.items {
			l.items = append(l.items, ev.castAll(at, item, to))
		}
		return l
	}
	return v
}

func holdsF32(v value) bool {
	if t, ok := v.(*tensor); ok {
		return t.typeOf().DType == dtype.F32
	}
	for _, item := range itemsOf(v) {
		if holdsF32(item) {
			return true
		}
	}
	return false
}

// wrapWithAutocast runs a graph under autocast, or without it: (device, dtype, enabled, cache_enabled, graph, …).
func (ev *evaluator) wrapWithAutocast(at script.Position, args []value) (value, bool) {
	if len(args) < 5 {
		return nil, false
	}
	on, ok1 := args[2].(bool)
	g, ok2 := args[4].(*subgraph)
	if !ok1 || !ok2 {
		return nil, false
	}
	of, _ := args[0].(string)
	to := dtype.Invalid
	switch code := args[1].(type) {
	case int:
		to = dtype.FromTorchCode(code)
	case nil:
		to = dtype.BF16 // the type of a CPU
	}
	if on && to != dtype.BF16 && to != dtype.F16 {
		failAt(at, "autocast to %s is not supported: there is bfloat16 and float16", text(args[1]))
	}
	outside := ev.autocast
	if of == "cpu" { // of other devices the tensors here are none
		ev.autocast = dtype.Invalid
		if on {
			ev.autocast = to
		}
	}
	out := ev.callGraph(at, g, args[5:])
	ev.autocast = outside
	return out, true
}

// refuseAutocast refuses to run a block of a script under autocast.
func refuseAutocast(at script.Position, context value) {
	o, ok := context.(*object)
	if !ok || !strings.HasSuffix(o.class.name, "autocast") {
		return
	}
	on, _ := o.attrs["_enabled"].(bool)
	if of, _ := o.attrs["device"].(string); on && of == "cpu" {
		failAt(at, "torch.autocast in a script is not supported: export the model with torch.export, whose programs say which "+
			"operators are cast, or script it without autocast and run it with -amp bf16")
	}
}
