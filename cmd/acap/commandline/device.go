package commandline

import (
	"flag"
	"strings"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	_ "github.com/go-acap/acap/device/host" // registers it
)

// Device is the flags that choose where a program runs, and how it is compiled.
type Device struct {
	Name    string // of -device
	Machine string // of -machine, for the acap device
	config  device.ConfigFlags
}

// Flags adds the flags to a set.
func (d *Device) Flags(f *flag.FlagSet) {
	var names []string
	for _, driver := range device.Drivers() {
		names = append(names, driver.Name)
	}
	f.StringVar(&d.Name, "device", "acap", "where to run: "+strings.Join(names, " or ")+"; after a colon what of it, such as acap:npu2")
	f.StringVar(&d.Machine, "machine", acap.DefaultMachine, "the array of -device acap: a preset (see `acap machines`) or a JSON file")
	d.config.Flags(f)
}

// Open returns the device that the flags name.
func (d *Device) Open() (device.Device, error) {
	name := d.Name
	if name == "acap" {
		name += ":" + d.Machine
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
