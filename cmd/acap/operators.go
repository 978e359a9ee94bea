package main

import (
	"bufio"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"bytes"

	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/torchscript"
)

func init() {
	register(command{"operators", "list PyTorch's operators and what becomes of each", operators})
}

// torchSchemas are the schemas of PyTorch 2.14; torchschemas/record.py writes them.
//
//go:embed torchschemas/schemas.txt.gz
var torchSchemas []byte

// operatorRow says how an operator of PyTorch is supported.
type operatorRow struct {
	Operator string `json:"operator"`
	// Status is registered, expanded, language or refused; missing without a reason.
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
	Schema string `json:"schema"`
}

// The values of Status.
const (
	operatorRegistered = "registered"
	operatorExpanded   = "expanded"
	operatorLanguage   = "language"
	operatorRefused    = "refused"
	operatorMissing    = "missing"
)

func operators(args []string) error {
	f := newFlags("operators", "[-status STATUS] [-json] [TEXT]")
	status := f.String("status", "", "only operators of this `status`: registered (computed as they are), expanded (written by others), "+
		"language (computed by the importers), refused (with the reason), missing")
	asJSON := f.Bool("json", false, "print a JSON line for each operator")
	rest, err := parseBetween(f, args, 0, 1)
	if err != nil {
		return err
	}
	known := []string{operatorRegistered, operatorExpanded, operatorLanguage, operatorRefused, operatorMissing}
	if *status != "" && !slices.Contains(known, *status) {
		return commandline.Errorf("-status %s: want one of %s", *status, strings.Join(known, ", "))
	}
	rows, err := operatorRows()
	if err != nil {
		return err
	}
	count, listed := map[string]int{}, 0
	for _, r := range rows {
		count[r.Status]++
		if *status != "" && r.Status != *status || len(rest) == 1 && !strings.Contains(r.Operator, rest[0]) {
			continue
		}
		listed++
		if *asJSON {
			if err := json.NewEncoder(stdout).Encode(r); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintln(stdout, strings.TrimRight(fmt.Sprintf("%-11s %-50s %s", r.Status, r.Operator, r.Reason), " "))
	}
	if len(rest) == 1 && listed == 0 {
		return fmt.Errorf("no operator of PyTorch 2.14 has %q in its name%s", rest[0], strings.TrimSuffix(" and the status "+*status, " and the status "))
	}
	if !*asJSON {
		fmt.Fprintf(stdout, "%d functional operators of PyTorch 2.14: %d registered, %d expanded, %d of the language, %d refused with a reason, %d missing\n",
			len(rows), count[operatorRegistered], count[operatorExpanded], count[operatorLanguage], count[operatorRefused], count[operatorMissing])
	}
	return nil
}

// operatorRows says of every schema what becomes of it.
func operatorRows() ([]operatorRow, error) {
	z, err := gzip.NewReader(bytes.NewReader(torchSchemas))
	if err != nil {
		return nil, err
	}
	var rows []operatorRow
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		schema := lines.Text()
		name, _, ok := strings.Cut(schema, "(")
		if !ok {
			return nil, fmt.Errorf("the list of operators: %q is no schema", schema)
		}
		r := operatorRow{Operator: name, Schema: schema}
		r.Status, r.Reason = operatorStatus(name, schema)
		rows = append(rows, r)
	}
	return rows, lines.Err()
}

// operatorStatus says what becomes of an operator.
func operatorStatus(name, schema string) (status, reason string) {
	space, plain, _ := strings.Cut(name, "::")
	if space != "aten" {
		plain = space + "." + plain
	}
	base, _, _ := strings.Cut(name[strings.Index(name, "::")+2:], ".")
	op := ops.Lookup(plain)
	switch {
	case op != nil && op.Expand == nil:
		return operatorRegistered, ""
	case op != nil:
		return operatorExpanded, ""
	}
	if reason := ops.Refused(base, schema); reason != "" {
		return operatorRefused, reason
	}
	if torchscript.Computes(base) {
		return operatorLanguage, ""
	}
	return operatorMissing, ""
}
