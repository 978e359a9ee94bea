package build

import (
	"errors"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// sketched is how many of the host's steps a sketch has: all kinds of transfers of a kernel
// are among the first ones.
const sketched = 4096

// Check reports why the machine cannot hold the program of a mapped kernel, nil if it can:
// memories, locks, channels, and descriptors with the widths of their fields. It looks at a
// sketch with the first steps of the host's sequence, so that it costs the same for kernels
// of any size; what depends on the whole sequence [program.Program.Verify] checks.
func Check(m *machine.Machine, w *workload.Kernel, g mapping.Mapping) error {
	b, err := newBuilder(m, w, g)
	if err != nil {
		return err
	}
	b.limit = sketched
	if b.build(); b.err != nil && !errors.Is(b.err, ErrTooLong) {
		return b.err
	}
	b.p.Lower()
	return b.p.VerifyTiles()
}
