package commandline

import (
	"flag"
	"fmt"
	"strings"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	_ "github.com/go-acap/acap/device/host" // registers it
)

// Device is the flags that choose where a program runs, and how it is compiled.
type Device struct {
	Name    string // of -device
	Machine string // of -machine, for the acap device
	without List   // of -without, for the acap device: see [machine.Part]
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
	f.Var(&d.without, "without", "leave out a part of the array's memory and network, to see what it costs: "+
		strings.Join(machine.PartNames(), ", ")+"; repeat for more")
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
	if dev, err = leave(dev, d.without); err != nil {
		return nil, err
	}
	config, err := d.config.Config()
	if err != nil {
		return nil, err
	}
	return device.Configure(dev, config)
}

// leave returns the device without parts of an array that are named.
func leave(dev device.Device, names []string) (device.Device, error) {
	if len(names) == 0 {
		return dev, nil
	}
	array, ok := dev.(*acap.Array)
	if !ok {
		return nil, fmt.Errorf("-without %s: %s is no array", strings.Join(names, ","), dev.Name())
	}
	var parts []machine.Part
	for _, name := range names {
		p, err := machine.ParsePart(name)
		if err != nil {
			return nil, fmt.Errorf("-without: %w", err)
		}
		parts = append(parts, p)
	}
	return array.Without(parts...), nil
}
