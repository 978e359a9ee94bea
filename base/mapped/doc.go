// Package mapped maps files into memory, or reads them where that is not possible.
package mapped
