package ops

import "github.com/go-acap/acap/base/dtype"

// Comparisons. Operands are converted to their promoted type first, numbers too.
func init() {
	aliases := map[string]string{"eq": "", "ne": "not_equal", "lt": "less", "le": "less_equal",
		"gt": "greater", "ge": "greater_equal"}
	for relation, alias := range aliases {
		for _, name := range []string{relation, alias} {
			for _, other := range []string{"Tensor", "Scalar"} {
				if name != "" {
					registerComparison(name, relation, other)
				}
			}
		}
	}
}

func registerComparison(name, relation, other string) {
	sample := Sample{S(2, 3), S(3)}
	if other == "Scalar" {
		sample = Sample{S(2, 3), 1}
	}
	register(&Op{
		Schema:  name + "." + other + "(Tensor self, " + other + " other) -> Tensor",
		Inplace: true,
		Infer:   inferCompare,
		Lower: lowerTerms(nil, numbersOfType(func(s *Scalars, c *Call, x []Elem) Elem {
			return s.Cmp(relation, x[0], x[1])
		})),
		Samples: samplesOf(sample, Sample{T{DType: dtype.I64, Shape: []int{3}}, sample[1]}),
	})
}
