package main

import (
	"cmp"
	"io"
	"path/filepath"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap/report"
)

// reportFiles are the files that acap run writes of a report, each by a flag.
var reportFiles = [...]struct {
	flag, use string
	extension string // of the format
	write     func(*report.Report, io.Writer) error
}{
	{"trace", "write a Chrome/Perfetto trace to this `file`", ".json", (*report.Report).WriteTrace},
	{"svg", "draw the array as a heat map in this `file`", ".svg", (*report.Report).WriteSVG},
	{"residency", "draw the weights that stay in mem tiles in this `file` (SVG)", ".svg", (*report.Report).WriteResidency},
	{"timeline", "draw what the host, cores and channels do over time in this `file` (SVG)", ".svg", (*report.Report).WriteTimeline},
	{"roofline", "draw the kernels under the machine's roofs in this `file` (SVG)", ".svg", (*report.Report).WriteRoofline},
	{"csv", "write the report as a table to this `file`", ".csv", (*report.Report).WriteCSV},
	{"vcd", "write a value change dump to this `file`", ".vcd", (*report.Report).WriteVCD},
	{"pprof", "write a profile of device cycles for go tool pprof to this `file`", ".gz", (*report.Report).WriteProfile},
}

// checkWritten refuses names of files to write that say another format, that stand twice, or that lie in no folder:
// what a run gives would be lost.
func (o *runFlags) checkWritten() error {
	flags := map[string]string{} // by the file
	check := func(flag, path, extension string) error {
		if path == "" {
			return nil
		}
		if err := commandline.CheckFormat(flag, path, extension); err != nil {
			return err
		}
		other, twice := flags[filepath.Clean(path)]
		if twice {
			return commandline.Errorf("-%s and -%s write the same file, %s", other, flag, path)
		}
		flags[filepath.Clean(path)] = flag
		return nil
	}
	for i, file := range reportFiles {
		if err := check(file.flag, o.reported[i], file.extension); err != nil {
			return err
		}
	}
	for _, path := range o.outputs {
		if err := check("output", path, ".npy"); err != nil {
			return err
		}
	}
	return nil
}

// reportFile is the first file in which a flag asks for the report, or empty.
func (o *runFlags) reportFile() string { return cmp.Or(o.reported[:]...) }

// files writes the report in the forms that flags ask for.
func (o *runFlags) files(exe device.Executable) error {
	r := o.reportOf(exe)
	for i, file := range reportFiles {
		if o.reported[i] == "" {
			continue
		}
		if err := atomicfile.Write(o.reported[i], func(w io.Writer) error { return file.write(r, w) }); err != nil {
			return err
		}
	}
	return nil
}
