package report

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
)

// The picture of a run without kernels is XML as well, and says whose it is.
func TestTimelineOfNothing(t *testing.T) {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	r := &Report{Machine: m, Name: "a<b"}
	var b strings.Builder
	require.NoError(t, r.WriteTimeline(&b))
	requireXML(t, b.String())
	require.Contains(t, b.String(), "a&lt;b")
}

func requireXML(t *testing.T, text string) {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else {
			require.NoError(t, err)
		}
	}
}
