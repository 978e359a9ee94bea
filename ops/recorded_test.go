package ops_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/opinfo"
)

const recordings = "../tensor/opinfo/testdata/"

// listed reads the names of programs in a list.
func listed(t *testing.T, file string) map[string]bool {
	text, err := os.ReadFile(recordings + file)
	require.NoError(t, err)
	names := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if name := strings.TrimSpace(line); name != "" && name[0] != '#' {
			names[name] = true
		}
	}
	return names
}

// runRecorded runs one of each every programs of an archive's families on the host. A program passes, or stands in a
// list; how many run at least is known.
func runRecorded(t *testing.T, archive, exceptions string, each, least int) {
	suite, err := opinfo.Open(recordings + archive)
	require.NoError(t, err)
	failing, total := listed(t, exceptions), 0
	for _, family := range suite.Families() {
		programs, err := suite.Programs(family)
		require.NoError(t, err)
		total += (len(programs) + each - 1) / each
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			for i, p := range programs {
				if i%each != 0 {
					continue
				}
				if err := p.Run(host.Device()); (err != nil) != failing[p.Name] {
					t.Errorf("%s: listed in %s: %v; %v", p.Name, exceptions, failing[p.Name], err)
				}
			}
		})
	}
	require.Greater(t, total, least)
}

// TestRecorded: operators and their gradients compute what PyTorch and SciPy computed.
func TestRecorded(t *testing.T) {
	each := longtest.Sample(9, 7, 1)
	runRecorded(t, "recorded.tar.gz", "pending.txt", each, 14000/each)
}

// TestTableRecorded: so do the operators of the table of expansions.
func TestTableRecorded(t *testing.T) {
	runRecorded(t, "table.tar.gz", "tablepending.txt", longtest.Sample(8, 8, 1), 700)
}

// TestComplexRecorded: so does what the table has for complex tensors.
func TestComplexRecorded(t *testing.T) {
	runRecorded(t, "complex.tar.gz", "complexpending.txt", longtest.Sample(8, 8, 1), 180)
}

// TestPrograms: the samples with which PyTorch tests itself give its results. A long run has a third of them; package
// opinfo runs all on the array.
func TestPrograms(t *testing.T) {
	each := longtest.Sample(6, 6, 3)
	runRecorded(t, "programs.tar.gz", "pending.txt", each, 6000/each)
}

// TestRefused: what PyTorch refuses for extents and arguments is refused.
func TestRefused(t *testing.T) { runRecorded(t, "refused.tar.gz", "accepted.txt", 1, 2000) }

// TestSamplesRecorded: each sample of an operator stands in the archive, so that values are known for what the samples
// are, and not for what they were when they were recorded. What PyTorch did not record stands in unrecorded.txt.
func TestSamplesRecorded(t *testing.T) {
	suite, err := opinfo.Open(recordings + "recorded.tar.gz")
	require.NoError(t, err)
	unrecorded := listed(t, "unrecorded.txt")
	for _, op := range ops.All() {
		if op.IsInplace() || op.Samples == nil || op.Draws {
			continue
		}
		var programs []*opinfo.Program
		if family := "aten." + op.Name(); slices.Contains(suite.Families(), family) {
			programs, err = suite.Programs(family)
			require.NoError(t, err)
		}
		for i, s := range op.Samples() {
			found := slices.ContainsFunc(programs, func(p *opinfo.Program) bool { return p.IsOf(op, s) })
			if name := fmt.Sprintf("aten.%s/%d", op.Name(), i); found == unrecorded[name] {
				t.Errorf("%s: in the archive: %v; in unrecorded.txt: %v", name, found, unrecorded[name])
			}
		}
	}
}
