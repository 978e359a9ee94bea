// SPDX-License-Identifier: Apache-2.0

// Package tensortext writes outputs of models: all elements in JSON, [New], or a line about a large one, [Summary].
package tensortext
