package report_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/report"
)

func TestFiles(t *testing.T) {
	r := get(t, "npu1")
	write := func(f func(io.Writer) error) *bytes.Buffer {
		var b bytes.Buffer
		if err := f(&b); err != nil {
			t.Fatal(err)
		}
		return &b
	}
	rows, err := csv.NewReader(write(r.WriteCSV)).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Errorf("CSV: %d rows, %v", len(rows), err)
	}
	d := xml.NewDecoder(write(r.WriteSVG))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("SVG: %v", err)
		}
	}
	var trace struct {
		TraceEvents []struct {
			Ph   string
			Name string
			Dur  float64
		}
	}
	if err := json.Unmarshal(write(r.WriteTrace).Bytes(), &trace); err != nil {
		t.Fatal(err)
	}
	names := map[string]int{}
	for _, e := range trace.TraceEvents {
		names[e.Name]++
		if e.Ph == "X" && e.Dur < 0 {
			t.Errorf("trace: %+v", e)
		}
	}
	if names["matmul"] == 0 || names["k0_matmul"] != 1 || names["thread_name"] < 20 {
		t.Errorf("trace: %v", names)
	}
	checkJSON(t, r)
	text := write(r.WriteVCD).String()
	checkVCD(t, text)
	checkRepeats(t, r, text)
}

// checkRepeats checks that a bit of each kernel is 1 for as long as the kernel repeats what is drawn.
func checkRepeats(t *testing.T, r *report.Report, text string) {
	want, got, now := 0.0, int64(0), int64(0)
	for i := range r.Kernels {
		if r.Kernels[i].Problem != "" {
			continue
		}
		e, err := r.Kernels[i].Events(event.Options{Intervals: 20000})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range e.Intervals {
			if v.Activity == event.Repeat {
				want += (v.End - v.Start) / r.Machine.Clock.Value * 1e12
			}
		}
	}
	codes := map[string]bool{}
	for line := range strings.Lines(text) {
		switch f := strings.Fields(line); {
		case f[0] == "$var" && strings.HasPrefix(f[4], "repeats_"):
			codes[f[3]] = true
		case line[0] == '#':
			now, _ = strconv.ParseInt(f[0][1:], 10, 64)
		case codes[f[0][1:]] && now > 0:
			got += now * map[byte]int64{'0': 1, '1': -1}[line[0]]
		}
	}
	if want == 0 || math.Abs(float64(got)/want-1) > 1e-6 {
		t.Errorf("VCD: kernels repeat for %d ps, want %g", got, want)
	}
}

// checkJSON checks that the JSON form holds what the text says.
func checkJSON(t *testing.T, r *report.Report) {
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Verdict string
		Total   struct{ Seconds float64 }
		Kernels []struct {
			Name   string
			Bound  string
			Timing struct {
				Seconds float64
				Bound   string
				Stalls  map[string]float64
			}
			Used      map[string]map[string]int
			RunnersUp []struct{ Mapping string } `json:"runners_up"`
		}
		WhatIf []struct{ Change string } `json:"what_if"`
		Tiles  []struct {
			Kind string
			Busy float64 `json:"busy_share"`
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got.Verdict != r.Verdict() || got.Total.Seconds != r.Total().Seconds ||
		len(got.Kernels) != len(r.Kernels) || len(got.WhatIf) == 0 || len(got.Tiles) == 0 {
		t.Errorf("%s", text)
	}
	for i, k := range got.Kernels {
		if r.Kernels[i].Problem != "" {
			continue
		}
		used := k.Used["core"]
		sum := 0.0
		for _, s := range k.Timing.Stalls {
			sum += s
		}
		if k.Timing.Bound != k.Bound || math.Abs(sum/k.Timing.Seconds-1) > 1e-9 || used["memory"] == 0 ||
			used["memory"] > used["memory_available"] {
			t.Errorf("%+v", k)
		}
	}
}

// checkVCD checks that time never goes back and values have declared signals.
func checkVCD(t *testing.T, text string) {
	signals := map[string]bool{}
	last, changes := -1, 0
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		f := strings.Fields(line)
		switch {
		case f[0] == "$var":
			signals[f[3]] = true
		case strings.HasPrefix(line, "$"):
		case line[0] == '#':
			var now int
			if _, err := fmt.Sscanf(line, "#%d", &now); err != nil || now <= last {
				t.Fatalf("VCD: %s after #%d", line, last)
			}
			last = now
		case line[0] == 'b':
			changes++
			if !signals[f[1]] {
				t.Fatalf("VCD: %s", line)
			}
		default:
			changes++
			if !signals[line[1:]] {
				t.Fatalf("VCD: %s", line)
			}
		}
	}
	if changes < 100 || len(signals) < 16 {
		t.Errorf("VCD: %d changes of %d signals", changes, len(signals))
	}
}

// TestProfile decodes the profile and adds up its samples.
func TestProfile(t *testing.T) {
	r := get(t, "npu1")
	var b bytes.Buffer
	if err := r.WriteProfile(&b); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var table []string
	var sums, first [3]int64
	samples := 0
	fields(t, data, func(field int, _ uint64, sub []byte) {
		switch field {
		case 6:
			table = append(table, string(sub))
		case 2:
			samples++
			fields(t, sub, func(field int, _ uint64, packed []byte) {
				if field != 2 {
					return
				}
				for i := 0; len(packed) > 0; i++ {
					v, n := binary.Uvarint(packed)
					sums[i] += int64(v)
					if samples == 1 {
						first[i] = int64(v)
					}
					packed = packed[n:]
				}
			})
		}
	})
	total := r.Total()
	host := int64(total.Cost.Host() * r.Machine.Clock.Value) // a sample of its own, the first
	if samples != 3 || first != [3]int64{host, 0, host} || host < sums[0]/4 || !slices.Contains(table, "host call") || sums[0] < int64(total.Cycles)-3 || sums[0] > int64(total.Cycles) ||
		sums[1] != total.ReadL3+total.WriteL3 || sums[2] <= 0 || sums[2] > sums[0] {
		t.Errorf("%d samples, sums %v of %.0f cycles", samples, sums, total.Cycles)
	}
	if text := strings.Join(table, "|"); table[0] != "" || !strings.Contains(text, "model.forward") ||
		!strings.Contains(text, "model.go") || !strings.Contains(text, "device_cycles") {
		t.Errorf("strings %q", table)
	}
}

// fields visits the fields of a protocol buffer message.
func fields(t *testing.T, data []byte, visit func(field int, v uint64, sub []byte)) {
	for len(data) > 0 {
		key, n := binary.Uvarint(data)
		data = data[n:]
		v, n := binary.Uvarint(data)
		data = data[n:]
		if key&7 != 2 {
			visit(int(key>>3), v, nil)
			continue
		}
		if v > uint64(len(data)) {
			t.Fatal("a field leaves its message")
		}
		visit(int(key>>3), 0, data[:v])
		data = data[v:]
	}
}
