package artifact_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/hostile"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/artifact"
)

// container is a file in parts, so that one can be altered and the file be sound again.
type container struct {
	header map[string]any
	parts  [][]byte
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func unpack(t testing.TB, data []byte) *container {
	n := binary.LittleEndian.Uint32(data[16:])
	c := &container{}
	d := json.NewDecoder(bytes.NewReader(data[24 : 24+n]))
	d.UseNumber()
	require.NoError(t, d.Decode(&c.header))
	for _, s := range c.header["sections"].([]any) {
		offset, err := s.(map[string]any)["offset"].(json.Number).Int64()
		require.NoError(t, err)
		size, err := s.(map[string]any)["bytes"].(json.Number).Int64()
		require.NoError(t, err)
		c.parts = append(c.parts, data[offset:offset+size])
	}
	return c
}

func (c *container) name(i int) string {
	return c.header["sections"].([]any)[i].(map[string]any)["name"].(string)
}

// pack writes the file with one part in another form, and everything else as it must be then.
func (c *container) pack(t testing.TB, part int, form []byte) []byte {
	var sections []map[string]any
	at := (24 + int64(4<<10) + int64(200*len(c.parts)) + 63) / 64 * 64
	for at < int64(24+len(mustJSON(t, c.header))+200*len(c.parts)) {
		at += 4 << 10
	}
	parts := append([][]byte(nil), c.parts...)
	if part >= 0 {
		parts[part] = form
	}
	for i, p := range parts {
		sections = append(sections, map[string]any{"name": c.name(i), "offset": at, "bytes": len(p), "crc": crc32.Checksum(p, castagnoli)})
		at = (at + int64(len(p)) + 63) / 64 * 64
	}
	header := map[string]any{}
	for k, v := range c.header {
		header[k] = v
	}
	header["sections"] = sections
	text := mustJSON(t, header)
	out := append([]byte("ACAP artifact 1\n"), make([]byte, 8)...)
	binary.LittleEndian.PutUint32(out[16:], uint32(len(text)))
	binary.LittleEndian.PutUint32(out[20:], crc32.Checksum(text, castagnoli))
	out = append(out, text...)
	for i, p := range parts {
		out = append(out, make([]byte, sections[i]["offset"].(int64)-int64(len(out)))...)
		out = append(out, p...)
	}
	return out
}

func mustJSON(t testing.TB, v any) []byte {
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return text
}

// use does with a file what people do: look at it, load it for a device, run it, and read the account.
func use(path string, dev device.Device) (err error) {
	f, err := artifact.Open(path)
	if err != nil {
		return err
	}
	_, _ = f.Module()
	_, _ = f.Arrays()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	exe, _, err := f.Load(ctx, dev)
	if err != nil {
		return err
	}
	defer exe.Close()
	if _, err = exe.Run(ctx, input()); err != nil {
		return err
	}
	r := acap.ReportOf(exe)
	if r == nil {
		return nil
	}
	_ = r.String()
	_, jsonErr := json.Marshal(r)
	return errors.Join(jsonErr, r.WriteCSV(io.Discard), r.WriteTrace(io.Discard), r.WriteSVG(io.Discard), r.WriteProfile(io.Discard),
		r.WriteRoofline(io.Discard), r.WriteResidency(io.Discard), r.WriteVCD(io.Discard))
}

// TestMutants alters what is in a file and sets the checksums right: whatever that is, using the file ends with results
// or an error, soon and with little memory. ACAP_LONG=1 tries ten times as many.
func TestMutants(t *testing.T) {
	count := longtest.Sample(1, 1, 10)
	data, err := os.ReadFile(written(t, artifact.Options{Machines: []string{"npu1", "npu2"}}))
	require.NoError(t, err)
	c := unpack(t, data)
	dir := t.TempDir()
	array, err := acap.Open("npu1")
	require.NoError(t, err)
	try := func(what string, form []byte, dev device.Device) error {
		path := filepath.Join(dir, "mutant.acap")
		require.NoError(t, os.WriteFile(path, form, 0o600))
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("%s: %v\n%s", what, p, debug.Stack())
			}
		}()
		return use(path, dev)
	}
	require.NoError(t, try("as it was", c.pack(t, -1, nil), array), "the test's own way to write files")
	for i, part := range c.parts {
		for what, form := range hostile.Variants(part, count) {
			try(c.name(i)+" "+what, c.pack(t, i, form), array)
		}
	}
	// Values of the header, one at a time.
	values := []any{json.Number("-1"), json.Number("0"), json.Number("9223372036854775807"), json.Number("1e300"), "", "acap:npu1",
		"tensor<1000000000000x8xf32>", "../../x.json", nil, []any{}, map[string]any{}, true, []any{json.Number("99")}}
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 * count {
		c := unpack(t, data)
		places := places(c.header)
		at, value := r.IntN(len(places)), values[r.IntN(len(values))]
		places[at](value)
		for _, dev := range []device.Device{array, nil} {
			try(fmt.Sprintf("header with %v at %d", value, at), c.pack(t, -1, nil), dev)
		}
	}
}

// places returns what sets each value of a header.
func places(v any) (list []func(any)) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if k != "sections" { // which pack writes
				list = append(list, func(x any) { v[k] = x })
				list = append(list, places(v[k])...)
			}
		}
	case []any:
		for i := range v {
			list = append(list, func(x any) { v[i] = x })
			list = append(list, places(v[i])...)
		}
	}
	return list
}
