package ops_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/host"
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

// runRecorded runs the programs of an archive on the host. A program passes, or stands in a
// list; how many there are at least is known.
func runRecorded(t *testing.T, archive, exceptions string, least int) {
	suite, err := opinfo.Open(recordings + archive)
	require.NoError(t, err)
	failing, total := listed(t, exceptions), 0
	for _, family := range suite.Families() {
		programs, err := suite.Programs(family)
		require.NoError(t, err)
		total += len(programs)
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			for _, p := range programs {
				if err := p.Run(host.Device); (err != nil) != failing[p.Name] {
					t.Errorf("%s: listed in %s: %v; %v", p.Name, exceptions, failing[p.Name], err)
				}
			}
		})
	}
	require.Greater(t, total, least)
}

// TestRecorded: operators and their gradients compute what PyTorch and SciPy computed.
func TestRecorded(t *testing.T) { runRecorded(t, "recorded.tar.gz", "pending.txt", 14000) }

// TestRefused: what PyTorch refuses for extents and arguments is refused.
func TestRefused(t *testing.T) { runRecorded(t, "refused.tar.gz", "accepted.txt", 2000) }
