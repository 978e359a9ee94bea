package onnx

import (
	"cmp"
	_ "embed"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

// schemasText is what operators take, as record/schemas.py writes it.
//
//go:embed schemas.txt
var schemasText string

// schema is what an operator takes from a version of its domain on.
type schema struct {
	since           int64
	inputs, outputs int      // the most of them
	attributes      []string // sorted
}

// schemas are the schemas of operators, by version.
var schemas = sync.OnceValue(func() map[proto.Key][]schema {
	all := map[proto.Key][]schema{}
	var key proto.Key
	for line := range strings.Lines(schemasText) {
		fields := strings.Fields(line)
		if !strings.HasPrefix(line, " ") {
			key = proto.Key{Domain: fields[0], Name: fields[1]}
			if key.Domain == "ai.onnx" {
				key.Domain = ""
			}
			fields = fields[2:]
		}
		since, _ := strconv.ParseInt(fields[0], 10, 64)
		all[key] = append(all[key], schema{since, mostOf(fields[1]), mostOf(fields[2]), fields[3:]})
	}
	return all
})

// mostOf reads a number of values; a star is any number.
func mostOf(text string) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return math.MaxInt
}

// checkSchema refuses inputs, outputs and attributes that an operator does not have in the model's version, as the
// checkers of ONNX and ONNX Runtime do. They would be without effect. An operator that is newer than the model's version
// has the schema of its first version. Attributes whose names begin with two underscores belong to an exporter and are
// allowed. Normalizations of layers, which optimizers make of other operators, may have any attribute.
func (n *node) checkSchema() {
	list := schemas()[n.Key()]
	if list == nil {
		return
	}
	domain := cmp.Or(n.Domain, "ai.onnx")
	s := list[0]
	for _, later := range list[1:] {
		if later.since <= n.version {
			s = later
		}
	}
	if len(n.Inputs) > s.inputs {
		failf("takes up to %d inputs in version %d of %s, not %d", s.inputs, n.version, domain, len(n.Inputs))
	}
	if len(n.Outputs) > s.outputs {
		failf("gives up to %d outputs in version %d of %s, not %d", s.outputs, n.version, domain, len(n.Outputs))
	}
	if strings.HasSuffix(n.Op, "LayerNormalization") {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(n.attributes)) {
		if _, known := slices.BinarySearch(s.attributes, name); !known && !strings.HasPrefix(name, "__") {
			failf("has no attribute %.60q in version %d of %s", name, n.version, domain)
		}
	}
}
