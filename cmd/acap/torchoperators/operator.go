package torchoperators

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"strings"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/torchscript"
)

// schemas are the schemas of PyTorch 2.14, a line each; record.py writes them.
//
//go:embed schemas.txt.gz
var schemas []byte

// Operator is an operator of PyTorch.
type Operator struct {
	Name   string `json:"operator"` // aten::add.Tensor
	Status Status `json:"status"`
	Reason string `json:"reason,omitempty"` // why it is refused
	Schema string `json:"schema"`
}

// Status says what becomes of an operator.
type Status string

// The statuses.
const (
	Registered Status = "registered" // computed as it is
	Expanded   Status = "expanded"   // written by others
	Language   Status = "language"   // computed by the importers
	Refused    Status = "refused"    // for a reason
	Missing    Status = "missing"    // neither computed nor refused
)

// Statuses lists the statuses.
func Statuses() []Status { return []Status{Registered, Expanded, Language, Refused, Missing} }

// All returns the operators in the order of their names. An error is one of the list in the program.
func All() ([]Operator, error) {
	z, err := gzip.NewReader(bytes.NewReader(schemas))
	if err != nil {
		return nil, err
	}
	var all []Operator
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		schema := lines.Text()
		name, _, ok := strings.Cut(schema, "(")
		if !ok {
			return nil, fmt.Errorf("the list of operators: %q is no schema", schema)
		}
		o := Operator{Name: name, Schema: schema}
		o.Status, o.Reason = statusOf(name, schema)
		all = append(all, o)
	}
	return all, lines.Err()
}

// statusOf says what becomes of an operator.
func statusOf(name, schema string) (status Status, reason string) {
	space, plain, _ := strings.Cut(name, "::")
	if space != "aten" {
		plain = space + "." + plain
	}
	base, _, _ := strings.Cut(name[strings.Index(name, "::")+2:], ".")
	op := ops.Lookup(plain)
	switch {
	case op != nil && op.Expand == nil:
		return Registered, ""
	case op != nil:
		return Expanded, ""
	}
	if reason := ops.Refused(base, schema); reason != "" {
		return Refused, reason
	}
	if torchscript.Computes(base) {
		return Language, ""
	}
	return Missing, ""
}
