package main

import (
	"flag"
	"fmt"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
)

// deviceFlags choose where a program runs.
type deviceFlags struct{ device, machine string }

func (d *deviceFlags) flags(f *flag.FlagSet) {
	f.StringVar(&d.device, "device", "acap", "where to run: acap or host")
	f.StringVar(&d.machine, "machine", "npu1", "the array: a preset (see `acap machines`) or a JSON file")
}

func (d *deviceFlags) open() (device.Device, error) {
	switch d.device {
	case "host":
		return host.Device, nil
	case "acap":
		return acap.Open(d.machine)
	}
	return nil, fmt.Errorf("no device %q; there are acap and host", d.device)
}
