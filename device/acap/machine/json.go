package machine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// maxFile bounds a machine file.
const maxFile = 1 << 20

// Read reads a machine in JSON and validates it. A "base" field names the
// preset to start from; without it every constant must be given.
func Read(r io.Reader) (*Machine, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("machine: %w", err)
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("machine: file is larger than %d bytes", maxFile)
	}
	var head struct {
		Base string `json:"base"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("machine: %s", position(text, err))
	}
	file := struct {
		Base string `json:"base"`
		*Machine
	}{Machine: new(Machine)}
	if head.Base != "" {
		if file.Machine, err = Preset(head.Base); err != nil {
			return nil, fmt.Errorf("machine: base: %w", err)
		}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return nil, fmt.Errorf("machine: %s", position(text, err))
	}
	if err := file.Machine.Validate(); err != nil {
		return nil, err
	}
	return file.Machine, nil
}

// WriteJSON writes the machine in the form that [Read] takes.
func (m *Machine) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(m)
}

// position turns the byte offset of a JSON error into line and column.
func position(text []byte, err error) string {
	var offset int64
	switch e := err.(type) {
	case *json.SyntaxError:
		offset = e.Offset
	case *json.UnmarshalTypeError:
		offset = e.Offset
	default:
		return err.Error()
	}
	before := text[:min(offset, int64(len(text)))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Sprintf("%d:%d: %v", line, column, err)
}
