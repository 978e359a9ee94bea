// SPDX-License-Identifier: Apache-2.0

// Package reply reads what a model answers to a chat while the answer is being generated: text, reasoning, and calls of
// tools, in the forms in which models write them. The template of a model's chats says which forms these are.
package reply
