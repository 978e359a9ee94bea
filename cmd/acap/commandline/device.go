package commandline

import (
	"flag"
	"strings"

	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/artifact"
	_ "github.com/go-acap/acap/device/host" // registers it
)

// Device is the flags that choose where a program runs, and how it is compiled.
type Device struct {
	Name    string // of -device
	Machine string // of -machine, for the acap device
	without List   // of -without, for the acap device: see [machine.Part]
	setting machine.Setting
	config  device.ConfigFlags
	set     *flag.FlagSet
}

// Flags adds the flags to a set.
func (d *Device) Flags(f *flag.FlagSet) {
	d.set = f
	var names []string
	for _, driver := range device.Drivers() {
		names = append(names, driver.Name)
	}
	f.StringVar(&d.Name, "device", "acap", "the `device` to run on: "+strings.Join(names, " or ")+"; after a colon what of it, such as acap:npu2")
	f.StringVar(&d.Machine, "machine", acap.DefaultMachine, "the `array` of -device acap: a preset that acap machines lists, or a JSON file")
	f.Var(&d.without, "without", "leave out a `part` of the array's memory and network, to see what it costs: "+
		strings.Join(machine.PartNames(), ", ")+"; repeat for more")
	d.setting.RegisterHost(f)
	d.config.Flags(f)
}

// Open returns the device that the flags name.
func (d *Device) Open() (device.Device, error) {
	config, err := d.config.Config()
	if err != nil {
		return nil, Wrong(err)
	}
	return d.open(d.name(), config)
}

// OpenModel returns the device for a model: for an artifact, what no flag says is as the file has it.
func (d *Device) OpenModel(path string) (device.Device, error) {
	if !modelfile.IsArtifact(path) {
		return d.Open()
	}
	f, err := artifact.Open(path)
	if err != nil {
		return nil, err
	}
	dev, _, err := d.OpenFor(f)
	return dev, err
}

// OpenFor returns the device for an artifact, and its configuration: what no flag says is as the file
// has it.
func (d *Device) OpenFor(f *artifact.File) (dev device.Device, config device.Config, err error) {
	if config, err = f.Settings(); err != nil {
		return nil, config, err
	}
	if config, err = d.config.Over(config); err != nil {
		return nil, config, Wrong(err)
	}
	if len(f.Machines) == 0 || d.IsGiven("device") || d.IsGiven("machine") {
		dev, err = d.open(d.name(), config)
		return dev, config, err
	}
	if dev, err = f.OwnDevice(); err == nil {
		dev, err = d.configured(dev, config)
	}
	return dev, config, err
}

// Given are the flags of a device that are on the command line.
func (d *Device) Given() (names []string) {
	own := flag.NewFlagSet("", flag.ContinueOnError)
	new(Device).Flags(own)
	d.set.Visit(func(f *flag.Flag) {
		if own.Lookup(f.Name) != nil {
			names = append(names, f.Name)
		}
	})
	return names
}

func (d *Device) name() string {
	if d.Name == "acap" {
		return "acap:" + d.Machine
	}
	return d.Name
}

// IsGiven reports whether a flag of the command is on the command line, one of a device or another one.
func (d *Device) IsGiven(name string) bool {
	given := false
	d.set.Visit(func(f *flag.Flag) { given = given || f.Name == name })
	return given
}

func (d *Device) open(name string, config device.Config) (device.Device, error) {
	if d.Name != "acap" && d.IsGiven("machine") {
		return nil, Errorf("-machine %s is for -device acap, and not for %s", d.Machine, d.Name)
	}
	dev, err := device.Open(name)
	if err != nil {
		return nil, WrongName(name, err)
	}
	return d.configured(dev, config)
}

func (d *Device) configured(dev device.Device, config device.Config) (device.Device, error) {
	dev, err := leave(dev, d.without)
	if err != nil {
		return nil, err
	}
	array, ok := dev.(*acap.Array)
	setting := d.setting
	if setting.BF16 = config.BF16(); !ok {
		if setting.BF16 = ""; !setting.Empty() {
			return nil, Errorf("-mode and -dispatch are for arrays, and not for %s", dev.Name())
		}
	} else if !setting.Empty() {
		if dev, err = array.In(setting); err != nil {
			return nil, Wrong(err)
		}
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
		return nil, Errorf("-without %s: %s is no array", strings.Join(names, ","), dev.Name())
	}
	var parts []machine.Part
	for _, name := range names {
		p, err := machine.ParsePart(name)
		if err != nil {
			return nil, Errorf("-without: %w", err)
		}
		parts = append(parts, p)
	}
	return array.Without(parts...), nil
}
