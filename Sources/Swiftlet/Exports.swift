// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// `import Swiftlet` is all that a program needs: it re-exports these types of the other modules, and no others.

@_exported public import struct SwiftletGraph.Bus
@_exported public import enum SwiftletGraph.BusFormat
@_exported public import struct SwiftletGraph.Endpoint
@_exported public import struct SwiftletGraph.Graph
@_exported public import enum SwiftletGraph.GraphError
@_exported public import struct SwiftletGraph.NodeID
@_exported public import struct SwiftletGraph.ParameterInfo
@_exported public import struct SwiftletGraph.ProcessorInfo
@_exported public import struct SwiftletGraph.TapID

@_exported public import class SwiftletFiles.AudioAsset
@_exported public import struct SwiftletFiles.AudioBuffer
@_exported public import enum SwiftletFiles.AudioContainer
@_exported public import class SwiftletFiles.AudioConverter
@_exported public import class SwiftletFiles.AudioFile
@_exported public import struct SwiftletFiles.AudioFileInfo
@_exported public import struct SwiftletFiles.AudioFormat
@_exported public import enum SwiftletFiles.CodingQuality
@_exported public import struct SwiftletFiles.FileError
@_exported public import protocol SwiftletFiles.FileLocation
@_exported public import struct SwiftletFiles.FileTags
@_exported public import enum SwiftletFiles.FormatError
@_exported public import enum SwiftletFiles.Loops
@_exported public import enum SwiftletFiles.MovieContainer
@_exported public import enum SwiftletFiles.PictureReport
@_exported public import struct SwiftletFiles.RecordingFormat
@_exported public import enum SwiftletFiles.SampleEncoding
@_exported public import enum SwiftletFiles.TakeRecovery
@_exported public import struct SwiftletFiles.TakeReport
@_exported public import struct SwiftletFiles.TakeStatus
@_exported public import struct SwiftletFiles.WaveformCache
@_exported public import struct SwiftletFiles.WaveformOverview

@_exported public import struct SwiftletSignal.Block
@_exported public import struct SwiftletSignal.Event
@_exported public import struct SwiftletSignal.EventBuffer
@_exported public import struct SwiftletSignal.EventHeader
@_exported public import struct SwiftletSignal.FrequencyResponse
@_exported public import struct SwiftletSignal.InputBus
@_exported public import struct SwiftletSignal.MutableSamples
@_exported public import struct SwiftletSignal.OutputBus
@_exported public import enum SwiftletSignal.ParameterCurve
@_exported public import enum SwiftletSignal.ParameterUnit
@_exported public import struct SwiftletSignal.Samples
@_exported public import struct SwiftletSignal.Transport
@_exported public import enum SwiftletSignal.EffectError

@_exported public import struct SwiftletStretch.Stretch
@_exported public import enum SwiftletStretch.StretchAlgorithm

@_exported public import struct SwiftletTimeline.AssetReference
@_exported public import struct SwiftletTimeline.AudioMix
@_exported public import struct SwiftletTimeline.Automation
@_exported public import enum SwiftletTimeline.AutomationError
@_exported public import struct SwiftletTimeline.BarBeat
@_exported public import struct SwiftletTimeline.Composition
@_exported public import enum SwiftletTimeline.CompositionError
@_exported public import struct SwiftletTimeline.Ducking
@_exported public import struct SwiftletTimeline.MediaTime
@_exported public import enum SwiftletTimeline.PanLaw
@_exported public import struct SwiftletTimeline.ParameterPath
@_exported public import struct SwiftletTimeline.Segment
@_exported public import struct SwiftletTimeline.TempoMap
@_exported public import enum SwiftletTimeline.TimeError
@_exported public import struct SwiftletTimeline.Track
@_exported public import struct SwiftletTimeline.TrackID
@_exported public import struct SwiftletTimeline.TrackMix
@_exported public import struct SwiftletTimeline.VideoTrack

@_exported public import struct SwiftletJack.PortConnection
@_exported public import enum SwiftletJack.ConnectionRule
@_exported public import enum SwiftletJack.JackError
@_exported public import enum SwiftletJack.JackEvent
@_exported public import struct SwiftletJack.JackPort
@_exported public import enum SwiftletJack.PortPattern
@_exported public import struct SwiftletJack.Route
@_exported public import struct SwiftletJack.RouteChange

@_exported public import enum SwiftletLV2.PluginError

@_exported public import protocol SwiftletSignal.ContinuousValue
@_exported public import enum SwiftletSignal.Dimension
@_exported public import protocol SwiftletSignal.ParameterValue

// The effects. Their nested types and parameters do not count as part of the API.
@_exported public import struct SwiftletEffects.Chorus
@_exported public import struct SwiftletEffects.Compressor
@_exported public import struct SwiftletEffects.Convolver
@_exported public import struct SwiftletEffects.DCFilter
@_exported public import struct SwiftletEffects.Delay
@_exported public import struct SwiftletEffects.Distortion
@_exported public import struct SwiftletEffects.Ducker
@_exported public import struct SwiftletEffects.Equalizer
@_exported public import struct SwiftletEffects.Flanger
@_exported public import struct SwiftletEffects.Gain
@_exported public import struct SwiftletEffects.Gate
@_exported public import struct SwiftletEffects.Generator
@_exported public import struct SwiftletEffects.Limiter
@_exported public import struct SwiftletEffects.Multiband
@_exported public import struct SwiftletEffects.Pan
@_exported public import struct SwiftletEffects.Phaser
@_exported public import struct SwiftletEffects.Polarity
@_exported public import struct SwiftletEffects.Reverb
@_exported public import struct SwiftletEffects.Tremolo
@_exported public import struct SwiftletEffects.Tuner
@_exported public import struct SwiftletEffects.Width
@_exported public import enum SwiftletEffects.NoteValue
@_exported public import enum SwiftletEffects.LFOWaveform
@_exported public import struct SwiftletLibraryEffects.Environment
@_exported public import struct SwiftletLibraryEffects.Loudness
@_exported public import struct SwiftletLibraryEffects.Pitch
@_exported public import struct SwiftletLibraryEffects.VoiceProcessing
