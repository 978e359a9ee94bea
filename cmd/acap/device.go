package main

import (
	"flag"
	"strings"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	_ "github.com/go-acap/acap/device/host" // registers it
)

// deviceFlags choose where a program runs, and how it is compiled.
type deviceFlags struct {
	device, machine string
	config          device.ConfigFlags
}

func (d *deviceFlags) flags(f *flag.FlagSet) {
	var names []string
	for _, driver := range device.Drivers() {
		names = append(names, driver.Name)
	}
	f.StringVar(&d.device, "device", "acap", "where to run: "+strings.Join(names, " or ")+"; after a colon what of it, such as acap:npu2")
	f.StringVar(&d.machine, "machine", acap.DefaultMachine, "the array of -device acap: a preset (see `acap machines`) or a JSON file")
	d.config.Flags(f)
}

func (d *deviceFlags) open() (device.Device, error) {
	name := d.device
	if name == "acap" {
		name += ":" + d.machine
	}
	dev, err := device.Open(name)
	if err != nil {
		return nil, err
	}
	config, err := d.config.Config()
	if err != nil {
		return nil, err
	}
	return device.Configure(dev, config)
}
