// Package nn holds models: those read from files, and layers to build them from.
package nn
