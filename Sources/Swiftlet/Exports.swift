// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// `import Swiftlet` is all a program needs: these types of the other modules come with it, and nothing else does.

@_exported public import struct SwiftletGraph.Bus
@_exported public import enum SwiftletGraph.BusFormat
@_exported public import struct SwiftletGraph.Endpoint
@_exported public import struct SwiftletGraph.Graph
@_exported public import enum SwiftletGraph.GraphError
@_exported public import struct SwiftletGraph.Lane
@_exported public import struct SwiftletGraph.NodeID
@_exported public import struct SwiftletGraph.ParameterInfo
@_exported public import struct SwiftletGraph.ProcessorInfo
@_exported public import struct SwiftletGraph.TapID
@_exported public import struct SwiftletGraph.Wire

@_exported public import class SwiftletFiles.AudioAsset
@_exported public import enum SwiftletFiles.AudioContainer
@_exported public import struct SwiftletFiles.AudioFileInfo
@_exported public import class SwiftletFiles.AudioFileReader
@_exported public import class SwiftletFiles.AudioFileWriter
@_exported public import enum SwiftletFiles.CodingQuality
@_exported public import struct SwiftletFiles.FileError
@_exported public import struct SwiftletFiles.FileTags
@_exported public import enum SwiftletFiles.Loops
@_exported public import enum SwiftletFiles.MovieContainer
@_exported public import enum SwiftletFiles.PictureReport
@_exported public import struct SwiftletFiles.RecordingFormat
@_exported public import enum SwiftletFiles.SampleEncoding
@_exported public import struct SwiftletFiles.TakeGap
@_exported public import enum SwiftletFiles.TakeRecovery
@_exported public import struct SwiftletFiles.TakeReport
@_exported public import struct SwiftletFiles.TakeStatus
@_exported public import enum SwiftletFiles.UnderrunCause
@_exported public import struct SwiftletFiles.WaveformCache
@_exported public import struct SwiftletFiles.WaveformOverview

@_exported public import struct SwiftletSignal.Block
@_exported public import struct SwiftletSignal.Event
@_exported public import struct SwiftletSignal.EventBuffer
@_exported public import struct SwiftletSignal.EventHeader
@_exported public import enum SwiftletSignal.EventType
@_exported public import struct SwiftletSignal.FileDescription
@_exported public import struct SwiftletSignal.FrequencyResponse
@_exported public import struct SwiftletSignal.InputBus
@_exported public import struct SwiftletSignal.MutableSamples
@_exported public import struct SwiftletSignal.OutputBus
@_exported public import enum SwiftletSignal.ParameterCurve
@_exported public import enum SwiftletSignal.ParameterUnit
@_exported public import struct SwiftletSignal.Samples
@_exported public import struct SwiftletSignal.Transport
@_exported public import struct SwiftletSignal.UnitBus
@_exported public import enum SwiftletSignal.UnitError

@_exported public import struct SwiftletStretch.Stretch
@_exported public import enum SwiftletStretch.StretchEngine

@_exported public import struct SwiftletTimeline.AssetReference
@_exported public import struct SwiftletTimeline.AudioMix
@_exported public import struct SwiftletTimeline.Automation
@_exported public import enum SwiftletTimeline.AutomationError
@_exported public import struct SwiftletTimeline.BarBeat
@_exported public import struct SwiftletTimeline.Composition
@_exported public import enum SwiftletTimeline.CompositionError
@_exported public import struct SwiftletTimeline.Ducking
@_exported public import struct SwiftletTimeline.History
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

@_exported public import struct SwiftletJack.Cable
@_exported public import enum SwiftletJack.ConnectionRule
@_exported public import enum SwiftletJack.JackError
@_exported public import enum SwiftletJack.JackEvent
@_exported public import struct SwiftletJack.JackPort
@_exported public import enum SwiftletJack.PortPattern
@_exported public import struct SwiftletJack.Route
@_exported public import struct SwiftletJack.RouteChange
@_exported public import enum SwiftletJack.TransportLead

@_exported public import enum SwiftletLV2.PluginError
