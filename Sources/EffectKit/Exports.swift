// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// `import SwiftletEffectKit` is all that the author of an effect needs. It also compiles as Embedded Swift, for
// plugins.

// The effect and its description.
@_exported public import protocol SwiftletSignal.Effect
@_exported public import struct SwiftletSignal.EffectDescription
@_exported public import struct SwiftletSignal.EffectBus
@_exported public import enum SwiftletSignal.EffectError
@_exported public import struct SwiftletSignal.Layout
@_exported public import struct SwiftletSignal.MeterDescription
@_exported public import struct SwiftletSignal.BandDescription
@_exported public import struct SwiftletSignal.FileDescription
@_exported public import enum SwiftletSignal.EffectFile
@_exported public import struct SwiftletSignal.Sound
@_exported public import struct SwiftletSignal.FrequencyResponse
@_exported public import protocol SwiftletSignal.EffectVisitor

// Parameters and presets.
@_exported public import protocol SwiftletSignal.ParameterList
@_exported public import struct SwiftletSignal.NoParameters
@_exported public import struct SwiftletSignal.TypedParameter
@_exported public import struct SwiftletSignal.ParameterDescription
@_exported public import enum SwiftletSignal.ParameterCurve
@_exported public import struct SwiftletSignal.ParameterCondition
@_exported public import enum SwiftletSignal.ParameterUnit
@_exported public import protocol SwiftletSignal.ParameterValue
@_exported public import protocol SwiftletSignal.ContinuousValue
@_exported public import protocol SwiftletSignal.ParameterChoice
@_exported public import enum SwiftletSignal.Dimension
@_exported public import typealias SwiftletSignal.Angle
@_exported public import typealias SwiftletSignal.Distance
@_exported public import typealias SwiftletSignal.Frequency
@_exported public import typealias SwiftletSignal.Level
@_exported public import typealias SwiftletSignal.Percentage
@_exported public import typealias SwiftletSignal.PitchInterval
@_exported public import protocol SwiftletSignal.PresetList
@_exported public import enum SwiftletSignal.NoPresets
@_exported public import struct SwiftletSignal.EffectPreset

// The types that an effect receives on the audio thread.
@_exported public import struct SwiftletSignal.Block
@_exported public import struct SwiftletSignal.InputBus
@_exported public import struct SwiftletSignal.OutputBus
@_exported public import struct SwiftletSignal.Samples
@_exported public import struct SwiftletSignal.MutableSamples
@_exported public import struct SwiftletSignal.EventBuffer
@_exported public import struct SwiftletSignal.Event
@_exported public import struct SwiftletSignal.EventHeader
@_exported public import struct SwiftletSignal.Transport

// DSP building blocks.
@_exported public import struct SwiftletSignal.Biquad
@_exported public import struct SwiftletSignal.BiquadCoefficients
@_exported public import enum SwiftletSignal.Decibels
@_exported public import struct SwiftletSignal.DelayLine
@_exported public import struct SwiftletSignal.Filter
@_exported public import struct SwiftletSignal.FrameRing
@_exported public import enum SwiftletSignal.KaiserWindow
@_exported public import struct SwiftletSignal.OnePole
@_exported public import struct SwiftletSignal.HeldNotes
@_exported public import struct SwiftletSignal.PanLaws
@_exported public import struct SwiftletSignal.ParameterLimit
@_exported public import struct SwiftletSignal.Ramp
@_exported public import struct SwiftletSignal.RealFFT
@_exported public import struct SwiftletSignal.RecordRing
@_exported public import struct SwiftletSignal.SampleReading
