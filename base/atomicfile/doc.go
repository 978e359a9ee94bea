// Package atomicfile writes files whole or not at all: the bytes go to a file beside the one
// that is meant, which takes its name at the end. A full disk, an error or an interrupt
// leaves the old file as it was.
package atomicfile
