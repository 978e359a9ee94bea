package walk

import (
	"math"
	"strings"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/linalg"
)

func init() {
	register(map[string]handler{
		"linalg.index": func(m *machine, op *mlir.Operation) []value {
			dim, _ := op.Attrs.Get("dim").(mlir.IntegerAttr)
			return one(index(m.points[len(m.points)-1][dim.Value]))
		},
		"linalg.softmax": softmax,
	})
}

// structured runs a linalg operation at every point of its loops, in order.
func (m *machine) structured(op *mlir.Operation) []value {
	maps := linalg.IndexingMaps(op)
	if len(maps) != len(op.Operands) || len(maps) == 0 || op.Body() == nil {
		fail(op, "operation is not supported")
	}
	inputs := len(linalg.Inputs(op))
	arrays := make([]*array, len(op.Operands))
	scalars := make([]value, len(op.Operands))
	var out []value
	for i, v := range op.Operands {
		switch x := m.value(v).(type) {
		case *array:
			arrays[i] = x
			if i >= inputs && !isMemory(v.Type) {
				own, err := x.copy()
				check(op, err)
				arrays[i] = own
				out = append(out, own)
			}
		default:
			scalars[i] = x
		}
	}
	extents := make([]int, maps[0].Dims)
	for k := range extents {
		extents[k] = -1
	}
	for i, am := range maps {
		for k, e := range am.Results {
			if e.Kind == mlir.AffineDim && arrays[i] != nil {
				extents[e.Value] = arrays[i].shape[k]
			}
		}
	}
	for k, n := range extents {
		if n < 0 {
			fail(op, "the extent of loop %d is not known", k)
		}
	}
	places := make([]int, len(maps))
	check(op, shape.Points(extents, func(point []int) error {
		args := make([]value, len(maps))
		for i, am := range maps {
			if arrays[i] == nil {
				args[i] = scalars[i]
				continue
			}
			if strings.HasPrefix(op.Name, "linalg.pooling") && i == 1 {
				args[i] = number{Element: reference.Element{DType: arrays[i].data.DType}}
				continue // the window has no contents
			}
			var err error
			if places[i], err = arrays[i].at(results(am, point)); err != nil {
				return err
			}
			args[i] = arrays[i].load(places[i])
		}
		m.points = append(m.points, point)
		y := m.region(op.Regions[0], args...)
		m.points = m.points[:len(m.points)-1]
		for i, v := range y {
			x, _ := v.(number)
			arrays[inputs+i].store(places[inputs+i], x)
		}
		return nil
	}))
	return out
}

// softmax is e^(x - max) over its sum, along one dimension.
func softmax(m *machine, op *mlir.Operation) []value {
	in, out := m.array(op.Operands[0]), m.array(op.Operands[1])
	memory := isMemory(op.Operands[1].Type)
	if !memory {
		own, err := out.copy()
		check(op, err)
		out = own
	}
	dim, _ := op.Attrs.Get("dimension").(mlir.IntegerAttr)
	d := int(dim.Value)
	if d < 0 || d >= len(in.shape) {
		fail(op, "there is no dimension %d", d)
	}
	lines := append(append([]int{}, in.shape[:d]...), 1)
	lines = append(lines, in.shape[d+1:]...)
	check(op, shape.Points(lines, func(point []int) error {
		line := make([]float64, in.shape[d])
		high, sum := math.Inf(-1), 0.0
		for i := range line {
			point[d] = i
			place, err := in.at(point)
			if err != nil {
				return err
			}
			line[i] = in.load(place).Float
			high = max(high, line[i])
		}
		for i := range line {
			line[i] = math.Exp(line[i] - high)
			sum += line[i]
		}
		for i := range line {
			point[d] = i
			place, err := out.at(point)
			if err != nil {
				return err
			}
			out.store(place, number{Element: reference.FloatElement(out.data.DType, line[i]/sum)})
		}
		point[d] = 0
		return nil
	}))
	if memory {
		return nil
	}
	return one(out)
}
