package machine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
)

// TestManyMistakes: a message lists twenty mistakes of a machine and counts the rest.
func TestManyMistakes(t *testing.T) {
	var styles []string
	for i := range 30 {
		styles = append(styles, fmt.Sprintf(`"s%d": {"efficiency": 2}`, i))
	}
	_, err := machine.Read(strings.NewReader(`{"base": "npu1", "compute": {"styles": {` + strings.Join(styles, ",") + `}}}`))
	require.Error(t, err)
	lines := strings.Split(err.Error(), "\n")
	require.Len(t, lines, 21)
	require.Regexp(t, `^and \d\d more$`, lines[20])
}
