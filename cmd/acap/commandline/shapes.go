package commandline

import (
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// ParseShapes reads flags such as "1x3x224x224" or "1x8xi64".
func ParseShapes(texts []string) ([]ops.TensorType, error) {
	var types []ops.TensorType
	for _, text := range texts {
		t := ops.TensorType{DType: dtype.F32}
		parts := strings.Split(text, "x")
		for i, part := range parts {
			n, err := strconv.Atoi(part)
			if err == nil && n >= 0 {
				t.Shape = append(t.Shape, n)
				continue
			}
			d, err := dtype.Parse(part)
			if err != nil || i != len(parts)-1 {
				return nil, Errorf("-shape %q is not like 1x3x224x224 or 1x8xi64", text)
			}
			t.DType = d
		}
		types = append(types, t)
	}
	return types, nil
}
