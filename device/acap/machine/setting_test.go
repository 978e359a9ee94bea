package machine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
)

// TestSetting changes what a setting names, in a copy, and refuses names that a machine does not know.
func TestSetting(t *testing.T) {
	for _, name := range machine.Names() {
		m, err := machine.Preset(name)
		require.NoError(t, err)
		for mode, want := range m.Modes {
			with, err := machine.Setting{Mode: mode}.Of(m)
			require.NoError(t, err)
			require.Equal(t, want.Clock, with.Clock)
		}
		for _, way := range m.Dispatches() {
			with, err := machine.Setting{Dispatch: way}.Of(m)
			require.NoError(t, err)
			require.Equal(t, m.Host.Dispatch[way].Launch, with.Host.Launch)
			require.NoError(t, with.Check())
		}
		same, err := machine.Setting{}.Of(m)
		require.NoError(t, err)
		require.Same(t, m, same)
		for _, s := range []machine.Setting{{Mode: "warp"}, {Dispatch: "pigeon"}, {BF16: "fp4"}} {
			_, err := s.Of(m)
			require.Error(t, err)
		}
		_, err = machine.Setting{BF16: machine.BF16Emulated}.Of(m)
		require.Equal(t, name != "npu2", err != nil, "%s: %v", name, err)
	}
}
