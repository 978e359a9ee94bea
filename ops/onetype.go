package ops

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
)

// oneType has, for the names of operators that do not promote, the parameters whose tensors have the element type of
// the first tensor. PyTorch refuses others, too: a promotion would compute in a type that nobody named.
var oneType = namesOf(`addbmm: batch1
	addmm: mat1
	addmv: mat
	baddbmm: batch1
	binary_cross_entropy: target
	cartesian_prod: tensors
	_convolution: bias
	convolution: bias
	cross: other
	grid_sampler: grid
	grid_sampler_2d: grid
	grid_sampler_3d: grid
	heaviside: values
	isclose: other
	lerp: end weight
	linalg_cross: other
	linalg_householder_product: tau
	linalg_vecdot: y
	linear: bias
	meshgrid: tensors
	nll_loss: weight
	nll_loss2d: weight
	nll_loss2d_forward: weight
	nll_loss_forward: weight
	nll_loss_nd: weight`)

// affine has the parameters of normalizations, whose tensors have the type of the input, or f32 beside an input of
// half precision.
var affine = namesOf(`batch_norm: weight bias running_mean running_var
	group_norm: weight bias
	instance_norm: weight bias running_mean running_var
	layer_norm: weight bias
	native_batch_norm: weight bias running_mean running_var
	native_group_norm: weight bias
	native_layer_norm: weight bias`)

// namesOf reads lines of an operator's name and the names of parameters.
func namesOf(text string) map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(text) {
		name, list, _ := strings.Cut(strings.TrimSpace(line), ":")
		m[name] = strings.Fields(list)
	}
	return m
}

// likeFirst lists the parameters of an operator that [oneType] and [affine] name.
func (op *Op) likeFirst(s *Schema) (list []int) {
	base := op.Functional().base
	for i := range s.Params {
		if name := s.Params[i].Name; slices.Contains(oneType[base], name) || slices.Contains(affine[base], name) {
			list = append(list, i)
		}
	}
	return list
}

// refuseMixed reports tensors whose element type is not the one of the first tensor, where the operator does not
// promote.
func (c *Call) refuseMixed() error {
	for _, i := range c.Op.read().likeFirst {
		name, first, values := c.Op.Parsed().Params[i].Name, c.Tensor(0), []Value{c.Tensor(i)}
		if list := c.Args[i].Tensors(); c.Args[i].Kind == KindTensors && len(list) > 0 {
			first, values = list[0], list
		}
		for _, v := range values {
			if v == nil || first == nil {
				continue
			}
			have, want := v.Type().DType, first.Type().DType
			if have == want || have == dtype.F32 && want.IsFloat() && want.Size() == 2 && affine[c.Op.Functional().base] != nil {
				continue
			}
			return c.DTypeErrorf("%s has the type %v beside %v of %s: convert one of them", name, have, want, c.Op.Parsed().Params[0].Name)
		}
	}
	return nil
}
