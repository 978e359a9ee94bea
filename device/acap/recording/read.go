package recording

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// ReadCalls reads the calls of kernels in a file: a value change dump if its name ends in .vcd, whose signals of cores
// match a pattern and whose clock is in cycles a second; else packets of trace units that watched the given events.
// Errors are those of the file, and of [ReadVCD] and [Dump.Calls], or of [ReadPackets] and [Recording.Calls].
func ReadCalls(path string, events [Slots]string, cores *regexp.Regexp, clock float64) ([]Calls, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text := bufio.NewReader(file)
	if strings.EqualFold(filepath.Ext(path), ".vcd") {
		d, err := ReadVCD(text)
		if err != nil {
			return nil, err
		}
		return d.Calls(cores, clock)
	}
	r, err := ReadPackets(text)
	if err != nil {
		return nil, err
	}
	return r.Calls(events)
}
