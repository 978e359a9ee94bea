// SPDX-License-Identifier: Apache-2.0

// Package mapped maps files into memory, or reads them where that is not possible.
package mapped
