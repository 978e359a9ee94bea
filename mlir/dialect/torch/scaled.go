package torch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// verifyScaled checks a product of matrices of floats of 8 or 4 bits with scales, as far as its types tell: self,
// mat2, scale_a, scale_b, bias, scale_result, out_dtype, use_fast_accum.
func verifyScaled(op *mlir.Operation) error {
	if len(op.Operands) < 6 || len(op.Results) != 1 {
		return fmt.Errorf("takes two matrices, their scales, a bias and the scale of the result")
	}
	of := func(i int) tensorText { return tensorParts(op.Operands[i].Type) }
	x, y, a, b := of(0), of(1), of(2), of(3)
	if err := narrowMatrices(x, y); err != nil || x.shape == nil || y.shape == nil {
		return err
	}
	k, n := y.shape[0], y.shape[1]
	if k != "?" && x.shape[1] != "?" && k != x.shape[1] {
		return fmt.Errorf("the rows of self have %s numbers, and the columns of mat2 %s", x.shape[1], k)
	}
	if err := sixteens(x.shape[1], n, 1); err != nil {
		return err
	}
	if Kind(op.Operands[4].Type) != "none" {
		if bias := of(4); bias.elem != "" && bias.elem != "bf16" && bias.elem != "f16" {
			return fmt.Errorf("the bias is %s, not bf16 or f16", bias.elem)
		}
	}
	if Kind(op.Operands[5].Type) != "none" {
		if scale := of(5); scale.elem != "" && scale.elem != "f32" {
			return fmt.Errorf("the scale of the result is %s, not f32", scale.elem)
		} else if count, known := elements(scale.shape); known && count != 1 {
			return fmt.Errorf("the scale of the result has %d numbers, not one", count)
		}
	}
	return scalesFit(x, y, a, b)
}

// sixteens checks that the rows of self and of mat2 have a multiple of 16 numbers; an element may pack several numbers.
func sixteens(sum, columns string, packed int) error {
	if k, err := strconv.Atoi(sum); err == nil && k*packed%16 != 0 {
		return fmt.Errorf("a row of self has %d numbers, which is no multiple of 16", k*packed)
	}
	if n, err := strconv.Atoi(columns); err == nil && n%16 != 0 {
		return fmt.Errorf("a row of mat2 has %d numbers, which is no multiple of 16", n)
	}
	return nil
}

// narrowMatrices checks that two operands are matrices of floats of 8 or 4 bits.
func narrowMatrices(x, y tensorText) error {
	for i, t := range []tensorText{x, y} {
		name := []string{"self", "mat2"}[i]
		if t.elem != "" && !slices.Contains(narrowFloats, t.elem) {
			return fmt.Errorf("%s is %s, not a float of 8 or 4 bits", name, t.elem)
		}
		if t.shape != nil && len(t.shape) != 2 {
			return fmt.Errorf("%s has %d dimensions, not 2", name, len(t.shape))
		}
	}
	return nil
}

var narrowFloats = []string{"f4E2M1FN", "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ"}

// scalesFit checks the scales of a product: one for each operand, one for each row or column, or one for each block.
func scalesFit(x, y, a, b tensorText) error {
	rows, known1 := elements(x.shape[:1])
	sum, known2 := elements(x.shape[1:])
	columns, known3 := elements(y.shape[1:])
	countA, known4 := elements(a.shape)
	countB, known5 := elements(b.shape)
	if !known1 || !known2 || !known3 || !known4 || !known5 || a.elem == "" || b.elem == "" || x.elem == "" || y.elem == "" {
		return nil
	}
	floats := a.elem == "f32" && b.elem == "f32"
	switch {
	case countA == 1 || countB == 1:
		if countA != countB {
			return fmt.Errorf("one scale goes with %d: both operands have one, or both have more", max(countA, countB))
		}
	case a.elem == b.elem && (a.elem == "f8E8M0FNU" || a.elem == "f8E4M3FN"):
		block := 32
		if a.elem == "f8E4M3FN" {
			block = 16
		}
		// Scales lie in tiles of 128 rows and 4 blocks. Two numbers of 4 bits count as one.
		count := func(lines int, elem string) int {
			n := sum
			if elem == "f4E2M1FN" || a.elem == "f8E4M3FN" {
				n *= 2
			}
			return upTo(lines, 128) * upTo((n+block-1)/block, 4)
		}
		if wantA, wantB := count(rows, x.elem), count(columns, y.elem); countA != wantA || countB != wantB {
			return fmt.Errorf("%d and %d scales are for blocks of another shape: %d and %d are wanted", countA, countB, wantA, wantB)
		}
		return nil
	default:
		blocks := func(n int) int { return (n + 127) / 128 }
		shapes := strings.Join(a.shape, "x") + " " + strings.Join(b.shape, "x")
		text := func(i, j, k, l int) string { return fmt.Sprintf("%dx%d %dx%d", i, j, k, l) }
		if fits := []string{text(rows, 1, 1, columns), text(rows, blocks(sum), blocks(sum), blocks(columns)), text(rows, blocks(sum), blocks(sum), columns),
			text(blocks(rows), blocks(sum), blocks(sum), columns)}; floats && !slices.Contains(fits, shapes) {
			return fmt.Errorf("scales of the shapes %s fit neither rows and columns nor blocks of 128", shapes)
		}
	}
	if !floats {
		return fmt.Errorf("scales are %s and %s, not f32", a.elem, b.elem)
	}
	return nil
}

// upTo is the next multiple.
func upTo(n, of int) int { return (n + of - 1) / of * of }

// elements counts the numbers of a tensor whose shape is known.
func elements(shape []string) (n int, known bool) {
	n = 1
	for _, extent := range shape {
		d, err := strconv.Atoi(extent)
		if err != nil {
			return 0, false
		}
		n *= d
	}
	return n, shape != nil
}

// verifyScaledLists checks a product whose scales are in lists, with how each is meant and where it lies: self, mat2,
// scale_a, recipe_a, swizzle_a, scale_b, recipe_b, swizzle_b, bias, out_dtype, contraction_dim, use_fast_accum.
func verifyScaledLists(op *mlir.Operation) error {
	if len(op.Operands) != 12 || len(op.Results) != 1 {
		return fmt.Errorf("takes two matrices, and scales, recipes and swizzles of both")
	}
	x, y := tensorParts(op.Operands[0].Type), tensorParts(op.Operands[1].Type)
	if err := narrowMatrices(x, y); err != nil {
		return err
	}
	dims := listed(op, 10)
	if len(dims) != 0 && len(dims) != 2 {
		return fmt.Errorf("contraction_dim has %d dimensions, not 2", len(dims))
	}
	if usual := dims != nil && len(dims) == 0; usual && x.shape != nil && y.shape != nil {
		if k, l := x.shape[1], y.shape[0]; k != l && k != "?" && l != "?" {
			return fmt.Errorf("the rows of self have %s numbers, and the columns of mat2 %s", k, l)
		}
		packed := 1 // numbers of 4 bits are two in an element
		if x.elem == "f4E2M1FN" {
			packed = 2
		}
		if err := sixteens(x.shape[1], y.shape[1], packed); err != nil {
			return err
		}
	}
	for i := 2; i <= 5; i += 3 {
		of := map[int]string{2: "a", 5: "b"}[i]
		scales, recipes := listed(op, i), listed(op, i+1)
		if scales == nil || recipes == nil {
			continue
		}
		if len(scales) == 0 || len(scales) != len(recipes) {
			return fmt.Errorf("scale_%s has %d tensors, and recipe_%s %d words: one for each, and one at least", of, len(scales), of, len(recipes))
		}
	}
	return nil
}

// listed are the elements of a list that is made before the operation, nil where it is not.
func listed(op *mlir.Operation, i int) []*mlir.Value {
	list := op.Operands[i].Def
	if list == nil || list.Name != "torch.prim.ListConstruct" {
		return nil
	}
	return append([]*mlir.Value{}, list.Operands...)
}
