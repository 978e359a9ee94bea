package artifact

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/go-acap/acap/device/plan"
)

// ErrDiffers is the error of a file whose program is another one than its module gives.
var ErrDiffers = errors.New("the program differs from what its module compiles to")

// Check compiles the module of the file again, as it was compiled, and compares all that is in the file with the
// result. The error wraps [ErrDiffers] if something is different. Files of other versions and processors cannot be
// compared.
func (f *File) Check(ctx context.Context) error {
	if f.Version != version() || f.Processor != plan.Processor() {
		return fmt.Errorf("%s: it was made by another version or for another processor (%s, %s; this is %s, %s), and cannot be compared",
			f.path, f.Version, f.Processor, version(), plan.Processor())
	}
	module, err := f.Module()
	if err != nil {
		return err
	}
	opts := Options{Model: f.Model}
	if opts.Config, err = f.Settings(); err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	if opts.Arrays, err = f.Arrays(); err != nil {
		return err
	}
	h, sections, err := build(ctx, module, opts)
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	var b bytes.Buffer
	if err := write(&b, h, sections); err != nil {
		return err
	}
	if sha256.Sum256(b.Bytes()) == sha256.Sum256(f.data) {
		return nil
	}
	have := map[string][]byte{}
	for _, s := range sections {
		if _, ok := have[s.name]; !ok {
			have[s.name] = s.data
		}
	}
	what := "the header"
	for _, s := range f.header.Sections {
		if s.Name != "data" && !bytes.Equal(f.section(s.Name), have[s.Name]) {
			what = fmt.Sprintf("section %q", s.Name)
			break
		}
		data := f.data[s.Offset : s.Offset+s.Bytes]
		if s.Name == "data" && !slices.ContainsFunc(sections, func(made section) bool { return bytes.Equal(made.data, data) }) {
			what = "the data of a constant"
			break
		}
	}
	return fmt.Errorf("%s: %w: %s differs", f.path, ErrDiffers, what)
}
