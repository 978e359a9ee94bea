package machine_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
)

const twins = `{"base": "npu2", "name": "twins", "arrays": {"number": 2, "share": ["memory"]}, "ddr": {"read": 64e9}}`

// ExampleMachine_Shared describes two arrays that share a memory. While both are at work, each gets half of its rate.
func ExampleMachine_Shared() {
	m, err := machine.Read(strings.NewReader(twins))
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Arrays)
	fmt.Println(m.DDR.Read, "for both,", m.Shared().DDR.Read, "for each")
	// Output:
	// 2 arrays that share the memory
	// 6.4e+10 B/s for both, 3.2e+10 B/s for each
}

// TestArrays: what is shared is divided once, also of a machine that was written and read again; the rest is as it was.
func TestArrays(t *testing.T) {
	m, err := machine.Read(strings.NewReader(strings.Replace(twins, `"memory"`, `"memory", "host"`, 1)))
	require.NoError(t, err)
	one := m.Shared()
	require.Equal(t, m.DDR.Total.Value/2, one.DDR.Total.Value)
	require.Equal(t, m.DDR.PerShim, one.DDR.PerShim)
	require.Equal(t, m.Host.Copy.Value/2, one.Host.Copy.Value)
	require.Equal(t, m.Host.Launch, one.Host.Launch)
	require.False(t, m.Arrays.Counted, "the machine itself has changed")
	var text bytes.Buffer
	require.NoError(t, one.WriteJSON(&text))
	again, err := machine.Read(&text)
	require.NoError(t, err)
	require.Equal(t, one.DDR, again.Shared().DDR)

	alone, err := m.Working(1)
	require.NoError(t, err)
	require.Equal(t, m.DDR, alone.Shared().DDR)
	for _, n := range []int{0, 3} {
		_, err = m.Working(n)
		require.ErrorContains(t, err, "has 2 arrays")
	}
	plain, err := machine.Preset("npu1")
	require.NoError(t, err)
	require.Same(t, plain, plain.Shared())
	for text, want := range map[string]string{
		`{"number": 0, "share": ["memory"]}`:            "arrays.number is 0",
		`{"number": 65, "share": ["memory"]}`:           "arrays.number is 65",
		`{"number": 2}`:                                 "arrays.share is empty",
		`{"number": 2, "share": ["cache"]}`:             `arrays.share has "cache"`,
		`{"number": 2, "share": ["memory", "memory"]}`:  "each once",
		`{"number": 2, "shares": ["memory", "memory"]}`: "shares",
	} {
		_, err := machine.Read(strings.NewReader(`{"base": "npu1", "arrays": ` + text + `}`))
		require.ErrorContains(t, err, want)
	}
}
