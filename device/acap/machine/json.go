package machine

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
)

// maxFile bounds a machine file.
const maxFile = 1 << 20

// Read reads a machine in JSON and validates it. A "base" field names the
// preset to start from; without it every constant must be given. A grid with
// another number of columns keeps the interface tiles of its base ([Grid.Resize]). A constant has the
// unit that presets have for it: a file may say it, and may not say another one. Errors name
// the field and start with the line and column of what is wrong.
func Read(r io.Reader) (*Machine, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("machine: %w", err)
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("machine: file is larger than %d bytes", maxFile)
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, position(text, err)
	}
	file := struct {
		Base string `json:"base"`
		*Machine
	}{Machine: new(Machine)}
	where, err := locate(text, reflect.TypeOf(file))
	if err != nil {
		return nil, err
	}
	if base, ok := tree.(map[string]any)["base"]; ok {
		if file.Machine, err = Preset(base.(string)); err != nil {
			return nil, fmt.Errorf("%s: base: %w", lineColumn(text, where.at["base"]), err)
		}
	}
	if _, ok := where.at["family"]; !ok && file.Machine.Family == "" {
		return nil, fmt.Errorf("%s: no machine is named to start from, such as \"base\": \"npu1\", and no family: a file without a base has every constant",
			lineColumn(text, where.at[""]))
	}
	cols := file.Machine.Grid.Cols
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, position(text, err)
	}
	if _, listed := where.at["grid.shim_dma"]; !listed && cols > 0 {
		g := &file.Machine.Grid
		resized := g.Cols
		g.Cols = cols
		g.Resize(resized)
	}
	if err := file.Machine.checkUnits(); err != nil {
		return nil, where.place(err)
	}
	if err := file.Machine.Check(); err != nil {
		return nil, where.place(err)
	}
	return file.Machine, nil
}

// WriteJSON writes the machine in the form that [Read] takes. An error is one of w.
func (m *Machine) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(m)
}

// position adds line and column to an error of package json.
func position(text []byte, err error) error {
	var offset int64
	switch e := err.(type) {
	case *json.SyntaxError:
		offset = e.Offset - 1
	case *json.UnmarshalTypeError:
		offset = e.Offset
	default:
		return err
	}
	return fmt.Errorf("%s: %w", lineColumn(text, max(0, offset)), err)
}
