package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/tensortext"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/tensor"
)

// accounted is the device as -retention and -samples have it.
func (o *runFlags) accounted(dev device.Device) device.Device {
	array, ok := dev.(*acap.Array)
	if !ok {
		return dev
	}
	if !o.retention {
		array = array.WithoutRetention()
	}
	if o.samples != 1 {
		array = array.Pipelined(o.samples)
	}
	return array.Telling(func(mapped, kinds int) {
		o.mapped.Store(int64(mapped))
		o.kinds.Store(int64(kinds))
	})
}

// reportOf is the report of a run whose inputs come from the host each time, nil on the host and if no flag asks for
// it: kernels are mapped for a report alone.
func (o *runFlags) reportOf(exe device.Executable) *report.Report {
	if !o.reports() {
		return nil
	}
	r := acap.ReportOf(exe)
	if r != nil {
		r.Written = o.written
	}
	return r
}

// reports tells whether a flag asks what the array did.
func (o *runFlags) reports() bool { return o.report || o.json || o.reportFile() != "" }

// checkReports refuses to run a program without a report if a flag asks for it.
func (o *runFlags) checkReports(exe device.Executable) error {
	_, ok := exe.(*acap.Program)
	switch path := o.reportFile(); {
	case ok:
		return nil
	case o.report:
		return commandline.Errorf("-report is for the acap device")
	case o.IsGiven("samples"):
		return commandline.Errorf("-samples is for the acap device")
	case o.IsGiven("retention"):
		return commandline.Errorf("-retention is for the acap device")
	case path != "":
		return commandline.Errorf("%s: there are reports for the acap device only", path)
	}
	return nil
}

// mostShown is how many elements of an output are printed before a report; of one with more there is a line.
const mostShown = 10

func (o *runFlags) print(exe device.Executable, outputs []*buf.Buffer, took time.Duration) error {
	r := o.reportOf(exe)
	if o.json {
		list := make([]tensortext.Tensor, len(outputs))
		for i, b := range outputs {
			list[i] = tensortext.New(b)
		}
		all := map[string]any{"outputs": list, "host_seconds": took.Seconds(), "report": r}
		if o.int8 {
			all["int8"] = o.compared
		}
		return json.NewEncoder(stdout).Encode(all)
	}
	if len(o.outputs) == 0 && len(o.expect) == 0 {
		for i, b := range outputs {
			if o.report && b.Len() > mostShown {
				fmt.Fprintf(stdout, "output %d: %s; -output FILE.npy writes all\n", i, tensortext.Summary(b))
				continue
			}
			fmt.Fprintln(stdout, tensor.FromBuffer(b))
		}
		if o.report {
			fmt.Fprintln(stdout)
		}
	}
	if o.report {
		fmt.Fprint(stdout, r)
	}
	return nil
}
