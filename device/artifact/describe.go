package artifact

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/division"
)

// Describe writes what a file holds as a table: what it was made of and for, whether it is signed, and its sections. An
// error is that of w.
func (f *File) Describe(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	config := string(f.Config)
	if made, err := f.Settings(); err == nil {
		config = made.Short()
	}
	fmt.Fprintf(t, "model\t%s\ndevice\t%s\nversion\t%s\nprocessor\t%s\nconfig\t%s\n", f.Model, f.Device, f.Version, f.Processor, config)
	fmt.Fprintf(t, "inputs\t%s\noutputs\t%s\n", strings.Join(f.Inputs, ", "), strings.Join(f.Outputs, ", "))
	for _, g := range f.Guards {
		fmt.Fprintf(t, "only for\t%s\n", g)
	}
	switch key := f.Signer(); {
	case key == nil:
		fmt.Fprintf(t, "signature\tnone\n")
	case f.Verify(key) != nil:
		fmt.Fprintf(t, "signature\twrong: the file was altered after it was signed\n")
	default:
		fmt.Fprintf(t, "signature\tEd25519, of key %x\n", key)
	}
	for _, warning := range f.Warnings {
		fmt.Fprintf(t, "warning\t%s\n", warning)
	}
	if f.Problem != "" {
		fmt.Fprintf(t, "no program\t%s\n", f.Problem)
	}
	groups := division.OnDevice(division.Of(f.Division, nil))
	fmt.Fprintf(t, "groups\t%d with %.1f%% of the work\n\nsection\tat\tbytes\tchecksum\n", groups, 100*device.Share(f.Division))
	for _, s := range f.Sections() {
		fmt.Fprintf(t, "%s\t%d\t%d\t%08x\n", s.Name, s.Offset, s.Bytes, s.CRC)
	}
	return t.Flush()
}
